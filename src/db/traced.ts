// Notes how long queries take, for the trace that they belong to. Used only if tracing is on. The names are those of prepared
// statements, or the kind of a query and its table: neither SQL nor a parameter.
import type { AliasNode, FromNode, LogEvent, OperationNode, RootOperationNode, TableNode } from 'kysely';
import { currentTrace } from '../kernel/tracing.ts';
import { ConnectionPool } from './driver/pool.ts';
import type { SharedReader } from './driver/reader.ts';
import type { Statement, Values } from './driver/statement.ts';

export class TracedPool extends ConnectionPool {
  override run<Row>(statement: Statement<Row>, values?: Values): Promise<Row[]> {
    return timed(statement, () => super.run(statement, values));
  }

  override execute(statement: Statement<unknown>, values?: Values): Promise<number> {
    return timed(statement, () => super.execute(statement, values));
  }
}

export function tracedReader(reader: SharedReader): SharedReader {
  return { ...reader, run: (statement, values) => timed(statement, () => reader.run(statement, values)) };
}

async function timed<T>({ name }: Statement<unknown>, work: () => Promise<T>): Promise<T> {
  const trace = currentTrace();
  if (!trace) return work();
  const startedAt = performance.now();
  try {
    const result = await work();
    trace.queried(name, startedAt, false);
    return result;
  } catch (error) {
    trace.queried(name, startedAt, true);
    throw error;
  }
}

/** For Kysely, which calls it after each query. */
export function traceQuery({ level, query, queryDurationMillis }: LogEvent): void {
  currentTrace()?.queried(nameOfQuery(query.query), performance.now() - queryDurationMillis, level === 'error');
}

interface Sources {
  from?: FromNode;
  into?: OperationNode;
  table?: OperationNode;
}

function nameOfQuery(node: RootOperationNode): string {
  if (node.kind === 'RawNode') return 'sql';
  const verb = node.kind.replace(/QueryNode$/, '').toLowerCase();
  const { from, into, table } = node as Sources;
  const source = from?.froms[0] ?? into ?? table;
  const named = source?.kind === 'AliasNode' ? (source as AliasNode).node : source;
  return named?.kind === 'TableNode' ? `${verb} ${(named as TableNode).table.identifier.name}` : verb;
}
