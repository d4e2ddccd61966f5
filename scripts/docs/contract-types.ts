import type { JsonSchema } from '../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { exactSchemaOf } from '../../frameworks/schemas/to-json-schema.ts';
import { policyTypes } from './policy-types.ts';
import { type Definitions, printTypes } from './print-types.ts';

/** Documents whose types processes and programs share. */
const DOCUMENTS: readonly string[] = [
  ...['JobStatus', 'LedgerEntry', 'EvidenceRecord', 'PodsRecord', 'LanesAnswer', 'Fault', 'SuspendRequest'],
  ...[
    'WhyAnswer',
    'StopRequest',
    'ScaleRequest',
    'ExtendRequest',
    'HoldRequest',
    'AmendRequest',
    'ApplyRequest',
  ],
];

/** Parts that have a type elsewhere, and the file that has it. */
const IMPORTED: Readonly<Record<string, { readonly type: string; readonly from: string }>> = {
  JobCondition: { type: 'Condition', from: './kubernetes.ts' },
  NodeClassName: { type: 'NodeClassName', from: './node-classes.ts' },
  ReasonCode: { type: 'ReasonCode', from: './reasons.ts' },
  WaitCode: { type: 'WaitCode', from: './reasons.ts' },
  Who: { type: 'Who', from: './reasons.ts' },
};

/** Texts whose values programs know, while a reader in another language takes those of later versions. */
const VALUES: Readonly<Record<string, string>> = {
  'NodeClass.class': 'NodeClassName',
  'WaitReason.code': 'WaitCode',
  'WaitReason.who': 'Who',
};

/** What several documents share has a sentence of its own. */
const DESCRIBED: Readonly<Record<string, string>> = {
  SuspendRequest: 'Who requests an intervention, and why.',
};

/** Types that have other names than their schemas, which the models of Python are named after. */
const NAMED: Readonly<Record<string, string>> = {
  ContainerState: 'ContainerStateEvidence',
  JobExplanation: 'Explanation',
  Lane: 'LaneAnswer',
  RecordedCondition: 'ConditionEvidence',
  SuspendRequest: 'Intervention',
};

/** Parts that are written where they are used. */
const INLINE: ReadonlySet<string> = new Set([
  ...[
    'Ahead',
    'AppliedManifest',
    'Budget',
    'Holder',
    'SparesAnswer',
    'LedgerBudget',
    'LedgerClosing',
    'LedgerDigest',
    'LedgerEffectEnd',
  ],
  ...['LedgerPrincipal', 'LedgerProgress', 'LedgerRequestCause', 'LedgerSubmission', 'LedgerTimer'],
  ...['PodEvidence', 'RecordedJob', 'RecordedTaint', 'RunningState', 'TerminatedState', 'WaitingState'],
]);

/** Returns contracts/types.ts: the plain types of the schemas, for workflows and public types, which have no zod. */
export function contractTypes(): string {
  const parts = SCHEMA_DOCUMENTS.filter(({ title }) => DOCUMENTS.includes(title)).flatMap((document) => {
    const { $defs = {}, ...schema } = exactSchemaOf(document);
    return Object.entries({ ...($defs as Definitions), [document.title]: schema });
  });
  const written = parts
    .filter(([id]) => !IMPORTED[id])
    .map(([id, part]) => {
      return [id, { ...withValues(id, part), description: DESCRIBED[id] ?? part.description }] as const;
    });
  const types = printTypes({
    declared: Object.fromEntries(written.filter(([id]) => !INLINE.has(id))),
    inline: Object.fromEntries(written.filter(([id]) => INLINE.has(id))),
    nameOf: (id) => IMPORTED[id]?.type ?? NAMED[id] ?? id,
    isReadonly: true,
  });
  const files = Map.groupBy(Object.values(IMPORTED), ({ from }) => from);
  const imports = [...files].map(
    ([from, imported]) => `import type { ${imported.map(({ type }) => type).join(', ')} } from '${from}';`,
  );
  return `${HEAD}\n${imports.join('\n')}\n\n${types}\n${policyTypes()}`;
}

function withValues(id: string, schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema.properties ?? {}) as Definitions).map(([name, field]) => {
    const values = VALUES[`${id}.${name}`];
    return [name, values ? { $ref: values, description: field.description } : field] as const;
  });
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema;
}

const HEAD = '// Generated from the schemas of contracts/schemas/, and that of policies, by `npm run docs`.';
