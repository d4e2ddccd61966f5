import { canonicalJson } from '../../language/canonical-json.ts';
import { sha256 } from '../ledger/chain.ts';
import { archiveFolder } from './archive-keys.ts';
import type { ArchivedJob } from './archived-job.ts';

/**
 * Signs with the archive's key what is in the store before a leaf of the log covers it, and knows what was signed so. Who
 * may write to the store does not have the key.
 */
export interface ArchiveSeal {
  /** Returns a signature of each key. */
  sign(text: string): readonly string[];
  hasSigned(text: string, signatures: readonly string[]): boolean;
}

/** Adds the signatures to a job.json. */
export const sealedJob = (seal: ArchiveSeal, job: ArchivedJob): ArchivedJob => ({
  ...job,
  signatures: seal.sign(signedText(job)),
});

/** Whether an archiver with this key wrote a job.json for the archive of this folder. */
export const isSealedJob = (seal: ArchiveSeal, job: ArchivedJob, folder: string): boolean =>
  archiveFolder(job) === folder && seal.hasSigned(signedText(job), job.signatures ?? []);

/** No checkpoint has this form: its second line is a number. */
function signedText({ signatures: _, ...job }: ArchivedJob): string {
  return `${job.schema}\n${sha256(canonicalJson(job))}\n`;
}

const KEPT_RUN = 'signalbox.dev/kept-run/v1';

/** Returns the file of a run that is kept until its job ends: what is signed, the signatures, and the history (gzip). */
export function sealedRun(seal: ArchiveSeal, runId: string, history: Uint8Array): Buffer {
  const lines = seal.sign(textOfRun(runId, history));
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), history]);
}

/** Returns the history (gzip) in the file of a kept run; undefined unless an archiver with this key kept it. */
export function historyInSealed(seal: ArchiveSeal, runId: string, file: Uint8Array): Uint8Array | undefined {
  const start = file.indexOf(GZIP);
  if (start < 0) return undefined;
  const history = file.subarray(start);
  const lines = Buffer.from(file.subarray(0, start)).toString().trimEnd().split('\n');
  return seal.hasSigned(textOfRun(runId, history), lines) ? history : undefined;
}

/** The first byte of gzip; no signature has it. */
const GZIP = 0x1f;

const textOfRun = (runId: string, history: Uint8Array): string =>
  `${KEPT_RUN}\n${runId} ${sha256(history)}\n`;
