// Turns: little is done at once, much in order of its kind, with looks at what has arrived in between.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type Kind, Turns } from './turns.ts';

let looks: (() => void)[];
let turns: Turns;
let done: string[];
beforeEach(() => {
  [looks, done] = [[], []];
  turns = new Turns((goOn) => looks.push(goOn));
});

const take = (kind: Kind, name: string) => turns.take(kind, () => done.push(name));
function look(): void {
  for (const goOn of looks.splice(0)) goOn();
}
const fill = (count: number) => Array.from({ length: count }, (_, n) => take('new', `new ${n}`));

test('while little is done, each goes at once', () => {
  take('new', 'a');
  take('found', 'b');
  assert.deepEqual(done, ['a', 'b']);
});

test('much is done in pieces, with a look at what has arrived between them', () => {
  fill(100);
  assert.equal(done.length, 32);
  look();
  assert.equal(done.length, 64);
  look();
  look();
  assert.deepEqual(
    done,
    Array.from({ length: 100 }, (_, n) => `new ${n}`),
  );
});

test('of those who wait, whoever was looked up goes first, then whoever was paid, then whoever has just come', () => {
  fill(32);
  done.length = 0;
  for (const kind of ['new', 'done', 'found', 'new', 'done', 'found'] as const) take(kind, kind);
  assert.deepEqual(done, []);
  look();
  assert.deepEqual(done, ['found', 'found', 'done', 'done', 'new', 'new']);
});

test('nobody overtakes those who wait, also when a look has just been taken', () => {
  fill(70);
  look();
  take('new', 'late');
  assert.equal(done.at(-1), 'new 63');
  look();
  assert.deepEqual(done.slice(-2), ['new 69', 'late']);
});

test('in a hurry nobody waits, until the next look', () => {
  fill(50);
  turns.hurry();
  assert.equal(done.length, 50);
  fill(50);
  assert.equal(done.length, 100);
  look();
  fill(50);
  assert.equal(done.length, 132);
});

test('what a job throws keeps nobody waiting', () => {
  fill(32);
  turns.take('new', () => {
    throw new Error('a defect');
  });
  take('new', 'next');
  assert.throws(look, /a defect/);
  look();
  assert.equal(done.at(-1), 'next');
});

test('an idle process is not kept busy', () => {
  take('new', 'a');
  look();
  assert.deepEqual(looks, []);
});
