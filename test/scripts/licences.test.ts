import { expect, test } from '@jest/globals';
import type { BomComponent } from '../../scripts/artifacts/sbom.ts';
import { forbiddenLicences } from '../../scripts/licences/forbidden.ts';

const some = (licenses: BomComponent['licenses'], name = 'some', version = '1.2.3'): BomComponent => ({
  ...{ 'bom-ref': `${name}@${version}`, type: 'library', name, version },
  purl: `pkg:npm/${name}@${version}`,
  ...(licenses && { licenses }),
});

test.each<[string, BomComponent]>([
  ['an allowed licence', some([{ license: { id: 'MIT' } }])],
  ['two that are allowed', some([{ expression: 'Apache-2.0 AND MIT' }])],
  ['a choice, of which one is allowed', some([{ expression: '(MIT OR GPL-3.0-only)' }])],
  ['none in its package.json, but one that was read', some(undefined, 'unionfs', '4.6.0')],
])('a package may have %s', (_, component) => {
  expect(forbiddenLicences([component])).toEqual([]);
});

test.each<[string, BomComponent]>([
  ['GPL-3.0-only', some([{ license: { id: 'GPL-3.0-only' } }])],
  ['MIT AND AGPL-3.0-only', some([{ expression: 'MIT AND AGPL-3.0-only' }])],
  ['SEE LICENSE IN EULA.txt', some([{ license: { name: 'SEE LICENSE IN EULA.txt' } }])],
  ['none', some(undefined)],
])('%s is refused, and the line says what to do', (got, component) => {
  expect(forbiddenLicences([component])).toEqual([
    expect.stringMatching(
      new RegExp(
        `^some 1\\.2\\.3: expected a licence of 0BSD, .*, got ${got}\\. Use another package; or read`,
      ),
    ),
  ]);
});
