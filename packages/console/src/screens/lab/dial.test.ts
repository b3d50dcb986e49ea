// What a dialled string means to the menus.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialString, typedAfterCode } from './dial.ts';

test('what follows the service code is typed; other codes belong to other services', () => {
  const cases: [dialled: string, typed: string | null][] = [
    ['*715#', ''],
    [' *715# ', ''],
    ['*715*4*1#', '4*1'],
    ['*715*0*0123456789#', '0*0123456789'],
    ['*715*#', ''],
    ['*715', null],
    ['*7150#', null],
    ['*716#', null],
    ['076123456', null],
    ['', null],
  ];
  for (const [dialled, typed] of cases) assert.equal(typedAfterCode(dialled, '*715#'), typed, dialled);
});

test('a shortcut dials through the menus', () => {
  assert.equal(dialString('*715#', '4*1'), '*715*4*1#');
  assert.equal(typedAfterCode(dialString('*715*2#', '1'), '*715*2#'), '1');
});
