import { stringify } from 'yaml';
import { ADMISSION_POLICIES } from '../../frameworks/schemas/admission-policies.ts';

/** The admission policies as chart and kustomization read them, by path. */
export const POLICY_FILES: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(ADMISSION_POLICIES).map(([name, policies]) => [
    `charts/signalbox/policies/${name}.yaml`,
    () =>
      `# Generated from frameworks/schemas/admission-policies.ts by \`npm run docs\`; edit that.\n${policies()
        .map((policy) => stringify(policy, { lineWidth: 120 }))
        .join('---\n')}`,
  ]),
);
