import type { z } from 'zod';
import { digest } from '../../contracts/digest.ts';
import { evidenceRecord } from '../../contracts/schemas/evidence-record.ts';
import { fault } from '../../contracts/schemas/fault.ts';
import { jobOutcome, jobStatus, timelineEntry } from '../../contracts/schemas/job-status.ts';
import { lanesAnswer } from '../../contracts/schemas/lanes-answer.ts';
import { ledgerEntry } from '../../contracts/schemas/ledger-entry.ts';
import { podsRecord } from '../../contracts/schemas/pods-record.ts';
import {
  amendRequest,
  applyRequest,
  extendRequest,
  holdRequest,
  interventionSchema,
  scaleRequest,
  stopRequest,
} from '../../contracts/schemas/requests.ts';
import { whyAnswer } from '../../contracts/schemas/why-answer.ts';
import { FRAMEWORKS } from '../kinds/registry.ts';
import type { Framework } from '../model/framework.ts';
import { policySchema } from '../policy/schema.ts';
import { manifestSchemaOf } from './manifest-schema-of.ts';

/** A schema that is published as `schemas/<name>.json`. */
export interface SchemaDocument {
  /** As `signalbox schema` takes it, e.g. `pytorchjob`. */
  readonly name: string;
  /** Name of the type in programs, e.g. `PyTorchJob`. */
  readonly title: string;
  readonly description: string;
  /** Whether a field that it does not know is a fault. */
  readonly isClosed: boolean;
  readonly schema: () => z.ZodType;
}

function manifest(framework: Framework): SchemaDocument {
  const { apiVersion, kind, schema = { name: kind.toLowerCase(), title: kind } } = framework;
  return {
    ...schema,
    description: `Manifest of kind ${kind}, ${apiVersion}.`,
    isClosed: true,
    schema: () => manifestSchemaOf(framework, schema.title),
  };
}

const open = (name: string, title: string, description: string, schema: z.ZodType): SchemaDocument => ({
  name,
  title,
  description,
  isClosed: false,
  schema: () => schema,
});

/** Every published schema. */
export const SCHEMA_DOCUMENTS: readonly SchemaDocument[] = [
  ...FRAMEWORKS.map(manifest),
  {
    name: 'policy',
    title: 'JobPolicy',
    description: 'The document in the annotation signalbox.dev/policy of a manifest; docs/policy.md.',
    isClosed: true,
    schema: () => policySchema,
  },
  open('status', 'JobStatus', 'Answer to the query `status`, and what the anchor records.', jobStatus),
  open(
    'outcome',
    'JobOutcome',
    'Result of the workflow of a job, or first detail of its failure.',
    jobOutcome,
  ),
  open(
    'timeline-entry',
    'TimelineEntry',
    'One transition of a job; `timeline` of a status.',
    timelineEntry.extend({}),
  ),
  open('ledger-entry', 'LedgerEntry', 'One entry of the ledger of a job; docs/history.md.', ledgerEntry),
  open('digest', 'Digest', 'Argument of the signal `digest`: what the watcher sees of a job.', digest),
  open(
    'evidence-record',
    'EvidenceRecord',
    'The stored record of a failed pod; docs/evidence.md.',
    evidenceRecord,
  ),
  open('pods-record', 'PodsRecord', 'What ran in an attempt of a job; docs/evidence.md.', podsRecord),
  open('why-answer', 'WhyAnswer', 'Why a job waits; docs/why.md.', whyAnswer),
  open(
    'lanes-answer',
    'LanesAnswer',
    'The lanes of an installation as they are now; docs/queue.md.',
    lanesAnswer,
  ),
  open('fault', 'Fault', 'A fault of a manifest or request.', fault),
  open('stop-request', 'StopRequest', 'Argument of the update `stop`.', stopRequest),
  open('suspend-request', 'SuspendRequest', 'Argument of the update `suspend`.', interventionSchema),
  open('resume-request', 'ResumeRequest', 'Argument of the update `resume`.', interventionSchema),
  open('scale-request', 'ScaleRequest', 'Argument of the update `scale`.', scaleRequest),
  open('retry-now-request', 'RetryNowRequest', 'Argument of the update `retryNow`.', interventionSchema),
  open('extend-deadline-request', 'ExtendRequest', 'Argument of the update `extendDeadline`.', extendRequest),
  open('hold-request', 'HoldRequest', 'Argument of the update `hold`.', holdRequest),
  open('release-request', 'ReleaseRequest', 'Argument of the update `release`.', interventionSchema),
  open('apply-request', 'ApplyRequest', 'Argument of the update `apply`.', applyRequest),
  open('amend-policy-request', 'AmendRequest', 'Argument of the update `amendPolicy`.', amendRequest),
];
