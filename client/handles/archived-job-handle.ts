import type { JobOutcome } from '../../contracts/status.ts';
import type {
  EvidenceRecord,
  Explanation,
  JobStatus,
  LedgerEntry,
  RecordedPod,
  WhyAnswer,
} from '../../contracts/types.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import type { ArchivedRevision } from '../../record/archive/archived-job.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import type { JobCost } from '../../record/uses/job-cost.ts';
import type { JobUses } from '../../record/uses/job-uses.ts';
import type { JobSummary } from '../servers/summary.ts';
import { translatedErrors } from '../use-cases/archive/archive-client-errors.ts';
import { archivedSummary } from '../use-cases/archive/archived-summary.ts';
import type { OpenArchiveOptions } from '../use-cases/archive/open-archive-options.ts';
import type { JobVerification, VerifyOptions } from '../use-cases/archive/verification.ts';
import type { PriceOptions } from '../use-cases/cost/job-cost.ts';
import { explanationOf } from '../use-cases/observe/explanation.ts';
import { isChosen, type LedgerChoice } from '../use-cases/observe/ledger-choice.ts';
import { type Outcome, typedOutcome } from '../use-cases/observe/typed-outcome.ts';
import type { RerunPlan } from '../use-cases/rerun/rerun-manifest.ts';
import type { RerunChanges } from '../use-cases/rerun/rerun-options.ts';
import { whyArchived } from '../use-cases/why/why-archived.ts';
import { refuseUnknownOptions } from './known-options.ts';

/**
 * A job in an archive. What it returns is what the job’s own handle returned, and each file is compared with the SHA-256 that
 * was recorded of it (`ArchiveDamagedError`). Whether those hashes are the original ones is what `verify` tells.
 *
 * @public
 */
export class ArchivedJobHandle {
  readonly workflowId: string;
  /** The first run of the job’s workflow, which tells jobs with one workflow id apart. */
  readonly firstRunId: string;
  /** URL of the archive. */
  readonly ref: string;
  /** RFC 3339. */
  readonly archivedAt: string;
  /** What could not be archived, e.g. the history of a run that Temporal had deleted before. */
  readonly missing: readonly string[];
  readonly #archive: JobArchive;
  readonly #store: ArchiveStore;
  readonly #options: OpenArchiveOptions;

  /** @internal */
  constructor(store: ArchiveStore, archive: JobArchive, options: OpenArchiveOptions) {
    const { workflowId, firstRunId, archivedAt, missing = [] } = archive.job;
    this.workflowId = workflowId;
    this.firstRunId = firstRunId;
    this.ref = archive.ref;
    this.archivedAt = archivedAt;
    this.missing = missing;
    this.#archive = archive;
    this.#store = store;
    this.#options = options;
  }

  summary(): JobSummary {
    return archivedSummary(this.#archive.job);
  }

  /** The job’s last status. */
  status(): JobStatus {
    return this.#archive.job.status;
  }

  outcome(): Outcome {
    return typedOutcome(this.status() as JobOutcome);
  }

  /** Why the job ended, and what its user could do. */
  why(): Explanation {
    return explanationOf(this.status());
  }

  /** Returns why the job ended and, in `waited`, what it had waited for, as `JobHandle.whyWaiting` does of an ended job. */
  whyWaiting(): Promise<WhyAnswer> {
    return translatedErrors(() => whyArchived(this.#archive));
  }

  /** The manifest as submitted. */
  manifest(): unknown {
    return this.#archive.job.manifest;
  }

  /** What amendments changed, from revision 2 on, and who asked for them. */
  revisions(): readonly ArchivedRevision[] {
    return this.#archive.job.revisions;
  }

  /** The policy that was in effect at the end; undefined if the job had none. */
  policy(): unknown {
    return this.#archive.job.policy;
  }

  /** Returns the job’s ledger as `JobHandle.history` does: whole, the oldest entry first. */
  async history(choice: LedgerChoice = {}): Promise<readonly LedgerEntry[]> {
    const entries = await translatedErrors(() => this.#archive.entries());
    return entries.filter((entry) => isChosen(entry, choice)).slice(0, choice.limit);
  }

  /** Returns the evidence of the failed pods; none if no pod failed. */
  evidence(): Promise<readonly EvidenceRecord[]> {
    return translatedErrors(() => this.#archive.evidence());
  }

  /** Returns what ran, with nodes, times and images as kubelets reported them. */
  pods(): Promise<readonly RecordedPod[]> {
    return translatedErrors(() => this.#archive.pods());
  }

  /** Returns what the GPUs and other devices of the job were used for, by its ledger; docs/cost.md. */
  async uses(): Promise<JobUses> {
    const { archivedUses } = await import('../use-cases/cost/archived-uses.ts');
    return translatedErrors(() => archivedUses(this.#archive));
  }

  /** Returns the same with its sums, and with prices what each of them cost. */
  async cost(options: PriceOptions = {}): Promise<JobCost> {
    await refuseUnknownOptions({ prices: options });
    const { archivedCost } = await import('../use-cases/cost/job-cost.ts');
    return translatedErrors(() => archivedCost(this.#archive, options));
  }

  /**
   * Returns the Temporal histories of the job’s runs as protobuf JSON, the oldest first, as `temporal workflow show -o json`
   * prints them: `Worker.runReplayHistory` of Temporal’s SDK and `signalbox replay` take them.
   */
  async histories(): Promise<readonly object[]> {
    return translatedErrors(async () => {
      const histories: object[] = [];
      for await (const { json } of this.#archive.historiesAsJson()) histories.push(json);
      return histories;
    });
  }

  /** Compares the files of this archive with their leaf in the signed log; reads no other archive. */
  async verify(options: VerifyOptions): Promise<JobVerification> {
    await refuseUnknownOptions({ verify: options });
    return translatedErrors(async () => {
      const { verifyOneArchive } = await import('../use-cases/archive/verify-archives.ts');
      return verifyOneArchive(this.#store, this.#archive.folder, options);
    });
  }

  /**
   * Returns what a rerun of this job submits; `SignalboxClient.rerun` does it. Throws `InvalidManifestError` with all faults
   * of the changes.
   */
  async planRerun(changes: RerunChanges = {}): Promise<RerunPlan> {
    await refuseUnknownOptions({ rerun: changes });
    return translatedErrors(async () => {
      const { planArchivedRerun } = await import('../use-cases/archive/rerun-archived.ts');
      return planArchivedRerun(this.#archive, changes, this.#options);
    });
  }
}
