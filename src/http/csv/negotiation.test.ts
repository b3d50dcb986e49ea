// Tests which Accept headers ask for CSV.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefersCsv } from './negotiation.ts';

const CSV = [
  'text/csv',
  'TEXT/CSV',
  'text/csv; charset=utf-8',
  'text/csv;header=present',
  'text/csv; charset=UTF-8; header=present, */*;q=0.1',
  'text/*',
  'text/csv, application/json',
  'text/csv, */*',
  '*/*, text/csv',
  'application/json;q=0.5, text/csv',
  'application/json;q=0.1, text/csv;q=0.2, */*;q=0.1',
  'text/html, text/csv;q=0.9, */*;q=0.1',
];

const JSON_REPLY = [
  undefined,
  '',
  '*/*',
  'application/json',
  'application/json, text/csv',
  'application/json; charset=utf-8, text/csv',
  'application/*, text/csv;q=0.9',
  'text/csv;q=0',
  'text/csv;q=0.5, application/json;q=0.6',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/plain',
  'text/',
  'text/csv;q=0.0',
  ';;;,,,text/',
];

for (const accept of CSV) test(`CSV for Accept: ${accept}`, () => assert.equal(prefersCsv(accept), true));
for (const accept of JSON_REPLY) test(`JSON for Accept: ${accept}`, () => assert.equal(prefersCsv(accept), false));
