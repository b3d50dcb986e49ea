// Named components: titles, operation names, references, internal keywords and shared parameters.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { ERROR_MESSAGE } from '../validation.ts';
import { Components, type Parameter } from './components.ts';
import { pascalCase, published } from './schema.ts';

const record = Type.Object({ id: Type.String() }, { title: 'Card', description: 'A card.' });
const CARD = { $ref: '#/components/schemas/Card' };

describe('a body', () => {
  it("is a component under its title, or under its operation's name", () => {
    const components = new Components();
    assert.deepEqual(components.body(record, 'GetCardReply'), CARD);
    const reply = components.body(Type.Object({ id: Type.String() }), 'GetCardReply');
    assert.deepEqual(reply, { $ref: '#/components/schemas/GetCardReply' });
    assert.deepEqual(Object.keys(components.schemas), ['Card', 'GetCardReply']);
    assert.equal(components.schemas.Card?.description, 'A card.');
    assert.equal(components.schemas.Card?.title, undefined);
  });

  it('refers to the records in it, at any depth', () => {
    const components = new Components();
    components.body(Type.Object({ cards: Type.Array(record), first: Type.Union([record, Type.Null()]) }), 'Reply');
    const { properties } = components.schemas.Reply as { properties: Record<string, object> };
    assert.deepEqual(properties.cards, { type: 'array', items: CARD });
    assert.deepEqual(properties.first, { anyOf: [CARD, { type: 'null' }] });
  });

  it('does not refer to a record that is a read-only field, because that has its own description', () => {
    const components = new Components();
    components.body(Type.Object({ card: Type.Unsafe({ ...record, readOnly: true }) }), 'Request');
    assert.deepEqual(Object.keys(components.schemas), ['Request']);
  });

  it("that has another component's name is a defect", () => {
    const components = new Components();
    components.body(record, 'Reply');
    components.body(record, 'OtherReply');
    const other = Type.Object({ serial: Type.String() }, { title: 'Card' });
    assert.throws(() => components.body(other, 'Reply'), /two different schemas .* are called Card/);
  });
});

it('a published schema has no internal keywords, and an enumeration instead of a constant', () => {
  const schema = published({ type: 'object', properties: { a: { const: 1, [ERROR_MESSAGE]: 'must be 1' } } });
  assert.deepEqual(schema, { type: 'object', properties: { a: { enum: [1] } } });
});

it('a parameter that several operations have is a component; others stay with their operation', () => {
  const parameter = (name: string, type: string): Parameter => ({
    name,
    in: 'query',
    required: false,
    schema: { type },
  });
  const list = { operationId: 'listCards', parameters: [parameter('limit', 'string'), parameter('serial', 'string')] };
  const others = ['listUsers', 'listRules', 'listAlerts'].map((operationId, index) => ({
    operationId,
    parameters: [parameter('limit', index === 0 ? 'string' : 'integer')],
  }));
  const components = new Components();
  components.shareParameters([list, ...others]);
  const references = [list, ...others].map(({ parameters }) => (parameters[0] as unknown as { $ref: string }).$ref);
  const [first, second] = ['Limit', 'ListRulesLimit'].map((name) => `#/components/parameters/${name}`);
  assert.deepEqual(references, [first, first, second, second]);
  assert.equal(list.parameters[1]?.name, 'serial');
});

it('operation, code and parameter names become component names', () => {
  const names = ['payAtTerminal', 'INVALID_PIN', 'kyc_level', 'hub.verify_token', 'bearer-or-service'];
  const expected = ['PayAtTerminal', 'InvalidPin', 'KycLevel', 'HubVerifyToken', 'BearerOrService'];
  assert.deepEqual(names.map(pascalCase), expected);
});
