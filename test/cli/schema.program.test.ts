import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { EXIT_CODES } from '../../cli/shell/exit-codes.ts';
import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { signalbox } from './process.ts';

const published = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'schemas', `${name}.json`), 'utf8'));

describe('signalbox schema', () => {
  test('lists every schema', async () => {
    const { code, stdout } = await signalbox(['schema']);
    expect(code).toBe(0);
    for (const { name, description } of SCHEMA_DOCUMENTS) {
      expect(stdout).toMatch(new RegExp(`^${name} +`, 'm'));
      expect(stdout).toContain(description);
    }
  });

  test.each([
    ['PyTorchJob', 'pytorchjob'],
    ['mpijobv2', 'mpijob-v2beta1'],
    ['stop-request', 'stop-request'],
    ['JobStatus', 'status'],
  ])('prints %s as published', async (given, name) => {
    const { stdout } = await signalbox(['schema', given]);
    expect(JSON.parse(stdout)).toEqual(published(name));
  });

  test('prints YAML on request', async () => {
    const { stdout } = await signalbox(['schema', 'policy', '-o', 'yaml']);
    expect(parse(stdout)).toEqual(published('policy'));
  });

  test('suggests the schema that was probably meant', async () => {
    const { code, stderr } = await signalbox(['schema', 'pytorchjobs']);
    expect(code).toBe(EXIT_CODES.usage.code);
    expect(stderr).toBe(
      'error: There is no schema "pytorchjobs"; did you mean pytorchjob?\nList all: signalbox schema\n',
    );
  });
});
