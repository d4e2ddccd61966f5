import satisfies from 'spdx-satisfies';
import type { BomComponent } from '../artifacts/sbom.ts';

/** What may be published together with Apache-2.0, by SPDX identifiers: nothing here asks for the source of a program. */
const ALLOWED = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense'],
  'MIT-0',
  // argparse, and the table of browsers in caniuse-lite.
  ...['PSF-2.0', 'CC-BY-4.0'],
];

/** What packages say only in the text of their licence, by name and version. */
const READ_BY_A_PERSON: Readonly<Record<string, string>> = { 'unionfs@4.6.0': 'Unlicense' };

/** Says, a line for each, which packages have a licence that is not allowed, and what to do. */
export const forbiddenLicences = (components: readonly BomComponent[]): readonly string[] =>
  components.flatMap((component) => {
    const licence = licenceOf(component);
    return licence !== undefined && isAllowed(licence)
      ? []
      : [
          `${component.name} ${component.version}: expected a licence of ${ALLOWED.join(', ')}, got ${licence ?? 'none'}. ` +
            'Use another package; or read its licence, and allow it in scripts/licences/forbidden.ts.',
        ];
  });

function licenceOf({ name, version, licenses = [] }: BomComponent): string | undefined {
  const [first] = licenses;
  if (!first) return READ_BY_A_PERSON[`${name}@${version}`];
  return 'expression' in first ? first.expression : (first.license.id ?? first.license.name);
}

function isAllowed(expression: string): boolean {
  try {
    return satisfies(expression, ALLOWED);
  } catch {
    // No expression of SPDX, e.g. "SEE LICENSE IN FILE".
    return false;
  }
}
