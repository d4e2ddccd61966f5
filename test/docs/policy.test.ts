import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import { policySchema } from '../../frameworks/policy/schema.ts';
import { policyOf, withPolicy } from '../frameworks/policy/policies.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'policy.md'), 'utf8');

/** Each document of the page, with the heading that it stands below. */
const examples = page.split(/^#+ /m).flatMap((section) => {
  const heading = section.split('\n', 1)[0]!;
  return [...section.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => [heading, text!] as const);
});

describe('docs/policy.md', () => {
  it.each(examples)('has a policy that can be used as it stands: %s', (_heading, text) => {
    const manifest = withPolicy(text);
    expect(manifest.faults()).toEqual([]);
    expect(manifest.job().warnings).toEqual([]);
  });

  it('has the default as it is', () => {
    const [, text] = examples.find(([heading]) => heading === 'The default, written out')!;
    expect(policyOf(text)).toEqual(DEFAULT_POLICY);
  });

  it('has four recipes', () => {
    const from = page.indexOf('## Recipes');
    const recipes = page.slice(from, page.indexOf('\n## ', from + 1));
    expect(recipes.match(/^### /gm)).toHaveLength(4);
  });

  it.each([...new Set(asFields(policySchema))])('says what `%s` is', (field) => {
    expect(page).toMatch(new RegExp(`(^## |\`([\\w.*[\\]]+\\.)?)${field}\\b`, 'm'));
  });
});

/** Names of all fields that a document may have. */
function asFields(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodOptional) return asFields(schema.unwrap());
  if (schema instanceof z.ZodArray) return asFields(schema.element);
  if (schema instanceof z.ZodRecord) return asFields(schema.valueType);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) => [name, ...asFields(field)]);
}
