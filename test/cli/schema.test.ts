import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { EXIT_CODES } from '../../cli/shell/exit-codes.ts';
import type { JsonSchema } from '../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { newValidator, SCHEMAS } from '../frameworks/schemas/validators.ts';
import { commandLine } from './in-process.ts';

describe('signalbox schema', () => {
  test('lists every schema', async () => {
    const { code, stdout } = await commandLine(['schema']);
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
  ])('prints %s in one piece', async (given, name) => {
    const { stdout } = await commandLine(['schema', given]);
    const printed = JSON.parse(stdout) as JsonSchema;
    expect(printed.$id).toBe(SCHEMAS[name]!.$id);
    expect(() => newValidator().compile(printed)).not.toThrow();
  });

  test('prints YAML on request', async () => {
    const { stdout } = await commandLine(['schema', 'policy', '-o', 'yaml']);
    expect(parse(stdout)).toEqual(SCHEMAS.policy);
  });

  test('suggests the schema that was probably meant', async () => {
    const { code, stderr } = await commandLine(['schema', 'pytorchjobs']);
    expect(code).toBe(EXIT_CODES.usage.code);
    expect(stderr).toBe(
      'error: There is no schema "pytorchjobs"; did you mean pytorchjob?\nList all: signalbox schema\n',
    );
  });
});
