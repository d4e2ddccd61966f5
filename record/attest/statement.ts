import { withoutLastApplied } from '../../contracts/last-applied.ts';
import { hideSecrets } from '../../contracts/secrets/hide-secrets.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { canonicalJson } from '../../language/canonical-json.ts';
import { type Fields, isFields } from '../../language/fields.ts';
import { chainOf, type LedgerHead, sha256 } from '../ledger/chain.ts';
import { revisionRequests } from '../ledger/revision-requests.ts';
import type { AttestedJob } from './attested-job.ts';
import { declaredIn, policyIn } from './declared.ts';
import { imageDependencies } from './image-dependencies.ts';
import { type DigestSet, digestSetOf, type InTotoStatement, type ResourceDescriptor } from './in-toto.ts';

/** Both are described in docs/attestation.md. */
export const BUILD_TYPE = 'https://signalbox.dev/training-job/v1';
const BUILDER_ID = 'https://signalbox.dev/engine/v1';
/** Name of the first subject. */
const LEDGER = 'ledger.jsonl';

export interface StatementOptions {
  /** Version of this program. */
  readonly version: string;
  /** SHA-256 of declared outputs, in hex, by name: for those whose digest the manifest could not know. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** Leaves out the values of environment variables, and hides what looks like a secret elsewhere. */
  readonly withoutEnv?: boolean;
}

export interface AttestedStatement {
  readonly statement: InTotoStatement;
  /** The ledger as a file, which is the statement's first subject. */
  readonly ledger: string;
}

/** Says from what a job's outputs came: manifest, images that ran, inputs, outcome, and the SHA-256 of the ledger. */
export function provenanceOf(given: AttestedJob, options: StatementOptions): AttestedStatement {
  const job = { ...given, manifest: withoutLastApplied(given.manifest) };
  const { lines, head } = chainOf(job, job.entries);
  const ledger = lines.map((line) => `${line}\n`).join('');
  const digest = { sha256: sha256(ledger) };
  const outputs = outputsOf(job, options.outputs ?? {});
  const statement: InTotoStatement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: LEDGER, digest }, ...subjectsIn(outputs)],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: buildDefinitionOf(job, options),
      runDetails: {
        builder: { id: BUILDER_ID, version: { signalbox: options.version } },
        metadata: {
          invocationId: `${job.workflowId}/${job.firstRunId}`,
          startedOn: job.entries[0]?.at,
          finishedOn: job.entries.at(-1)?.at,
        },
        byproducts: [ledgerOf(job, head, digest), outcomeDescriptor(job.entries), podsOf(job), ...outputs],
      },
    },
  };
  return { statement: options.withoutEnv ? hideSecrets(statement) : statement, ledger };
}

function buildDefinitionOf(
  job: AttestedJob,
  { withoutEnv: leavesOut }: StatementOptions,
): InTotoStatement['predicate']['buildDefinition'] {
  const { manifest, namespace, name, workflowId, firstRunId } = job;
  const inputs = declaredIn(manifest, 'inputs').map(({ name: input, uri, digest }) => ({
    name: `input ${input}`,
    ...(uri ? { uri } : {}),
    ...(digest ? { digest: digestSetOf(digest) } : {}),
    annotations: { declared: true },
  }));
  const policy = policyIn(manifest);
  return {
    buildType: BUILD_TYPE,
    externalParameters: {
      manifest: leavesOut ? withoutEnv(manifest) : manifest,
      ...(leavesOut ? { withoutEnv: true } : {}),
      revisions: revisionsIn(job.entries),
    },
    internalParameters: {
      job: { namespace, name, workflowId, firstRunId },
      ...(policy === undefined ? {} : { policy }),
    },
    resolvedDependencies: [...inputs, ...imageDependencies(job.pods)],
  };
}

/** What changed the job after its submission, and who asked for it. */
const revisionsIn = (entries: readonly LedgerEntry[]): Fields[] =>
  revisionRequests(entries).map(({ madeRevision, at, request, asked = {}, who, why }) => ({
    ...{ revision: madeRevision, at, request, asked, who },
    ...(why === undefined ? {} : { why }),
  }));

const ledgerOf = ({ readFrom }: AttestedJob, head: LedgerHead, digest: DigestSet): ResourceDescriptor => ({
  name: LEDGER,
  digest,
  annotations: { entries: head.entries, head: head.hash, readFrom },
});

function outcomeDescriptor(entries: readonly LedgerEntry[]): ResourceDescriptor {
  const { phase, reason, attempt, message } = entries.at(-1) ?? {};
  const restarts = entries.findLast((entry) => entry.restarts !== undefined)?.restarts ?? 0;
  const outcome = { phase, ...(reason ? { reason } : {}), attempt, restarts };
  return {
    name: 'outcome',
    mediaType: 'application/json',
    content: Buffer.from(canonicalJson(outcome)).toString('base64'),
    annotations: { ...outcome, message },
  };
}

/** The lines are those of pods.jsonl.gz in an archive. */
function podsOf({ pods, entries }: AttestedJob): ResourceDescriptor {
  const recorded = new Set(pods.map(({ attempt }) => attempt));
  const attempts = [...new Set(entries.map(({ attempt }) => attempt))].filter((attempt) => attempt > 0);
  return {
    name: 'pods.jsonl',
    digest: { sha256: sha256(pods.map((pod) => `${canonicalJson(pod)}\n`).join('')) },
    annotations: {
      pods: pods.length,
      nodes: [...new Set(pods.flatMap(({ node }) => node ?? []))].sort(),
      attemptsWithoutRecord: attempts.filter((attempt) => !recorded.has(attempt)),
    },
  };
}

function outputsOf(
  { manifest }: AttestedJob,
  measured: Readonly<Record<string, string>>,
): ResourceDescriptor[] {
  return declaredIn(manifest, 'outputs').map(({ name, uri, digest: declared }) => {
    const found = measured[name];
    const digest = found === undefined ? declared && digestSetOf(declared) : { sha256: found };
    return {
      name: `output ${name}`,
      ...(uri ? { uri } : {}),
      ...(digest ? { digest } : {}),
      annotations: { declared: true, ...(digest ? { digestIs: found ? 'measured' : 'as declared' } : {}) },
    };
  });
}

const subjectsIn = (outputs: readonly ResourceDescriptor[]) =>
  outputs.flatMap(({ name = '', digest }) =>
    digest ? [{ name: name.slice('output '.length), digest }] : [],
  );

/** Returns a manifest without the values of environment variables, which may be secrets. Their names stay. */
function withoutEnv(manifest: unknown): unknown {
  if (Array.isArray(manifest)) return manifest.map(withoutEnv);
  if (!isFields(manifest)) return manifest;
  return Object.fromEntries(
    Object.entries(manifest).map(([name, value]) => [
      name,
      name === 'env' && Array.isArray(value) ? value.map(nameOnly) : withoutEnv(value),
    ]),
  );
}

/** A reference to a Secret or a field is no value. */
function nameOnly(variable: unknown): unknown {
  if (!isFields(variable)) return variable;
  const { value, ...others } = variable;
  return others;
}
