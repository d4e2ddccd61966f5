import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../../contracts/labels.ts';
import { holdsSshKey, withSshKey } from '../../../contracts/ssh-keys.ts';
import type { GangChoice, GangProvider, GangRequest, TrainingJob } from '../../../contracts/training-job.ts';
import { chooseGang } from '../../../gang/choose.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
import { type ManifestOptions, validateManifest } from './validate.ts';

/**
 * How to render a job.
 *
 * @public
 */
export interface RenderOptions extends ManifestOptions {
  /** Overrides the manifest and the configuration. */
  readonly gang?: GangProvider;
  /** Default: 1. Later attempts have other labels and another group name. */
  readonly attempt?: number;
  /** Returns whether the cluster serves a gang scheduler's API, for jobs with `auto`. Default: no gang scheduling. */
  readonly serves?: (provider: GangProvider) => Promise<boolean>;
}

/**
 * What a job creates.
 *
 * @public
 */
export interface RenderedJob {
  /**
   * The job with defaults filled in.
   *
   * @internal
   */
  readonly job: TrainingJob;
  readonly gang: GangProvider;
  readonly attempt: number;
  /** In an order that allows creation. Without owner references: the anchor exists only once the job runs. */
  readonly objects: readonly KubeObject[];
  readonly warnings: readonly string[];
  /** How these objects differ from those of a running job. */
  readonly remarks: readonly string[];
}

/**
 * Renders the objects that a manifest would create. Needs no server. Throws the client's `InvalidManifestError`
 * with all faults.
 *
 * @example
 * ```ts
 * const { objects } = await renderJob(manifest, { namespace: 'ml', gang: 'volcano' });
 * const pods = objects.filter(({ kind }) => kind === 'Pod');
 * ```
 *
 * @public
 */
export async function renderJob(manifest: unknown, options: RenderOptions = {}): Promise<RenderedJob> {
  const { faults, warnings, job: parsed } = validateManifest(manifest, { ...options, isComplete: true });
  if (!parsed) throw new InvalidManifestError(faults, warnings);
  const { attempt = 1 } = options;
  const job = { ...parsed, gang: gangOfJob(parsed, options) };
  const chosen = await chooseGang(job, {
    configured: withoutAuto(options.configuration?.gang, options) ?? 'none',
    serves: options.serves ?? (async () => true),
  });
  if ('faults' in chosen) throw new InvalidManifestError(chosen.faults, warnings);
  const gang = chosen.provider;
  const made = renderAttempt(job, { number: attempt, anchorUid: '' }, { gang, asGang: true });
  const objects = [...made.shared, ...(made.group ? [made.group] : []), ...made.services, ...made.pods];
  return {
    ...{ job, gang, attempt },
    objects: objects.map(shownObject),
    warnings: [...warnings, ...chosen.warnings],
    remarks: remarksOn(job, objects),
  };
}

function gangOfJob({ gang }: TrainingJob, options: RenderOptions): GangRequest {
  const scheduler = options.gang ?? withoutAuto(gang.scheduler, options);
  return { ...gang, scheduler, schedulerName: options.configuration?.coschedulingName };
}

/** Only a cluster can resolve `auto`. */
const withoutAuto = (choice: GangChoice | undefined, { serves }: RenderOptions) =>
  choice === 'auto' && !serves ? undefined : choice;

/** Makes an object creatable by hand, with a text in the place of each key. */
function shownObject(object: KubeObject): KubeObject {
  const { ownerReferences: _owner, ...metadata } = object.metadata;
  const { stringData } = object;
  const key = holdsSshKey(stringData) ? { stringData: withSshKey(stringData, NOT_SHOWN) } : {};
  return { ...object, ...key, metadata };
}

const WHEN_SHOWN = 'created when the job starts';
const NOT_SHOWN = { privateKey: WHEN_SHOWN, publicKey: WHEN_SHOWN };

function remarksOn({ name, plan }: TrainingJob, objects: readonly KubeObject[]): string[] {
  const keys = objects
    .filter(({ stringData }) => holdsSshKey(stringData))
    .map(({ metadata }) => metadata.name);
  return [
    `Not shown: the ConfigMap ${anchorNameOf(name)}, which records the job, and the owner references to it.`,
    ...keys.map((key) => `The keys of the Secret ${key} are generated for each job and never shown.`),
    ...(plan.hostList?.when === 'addressed'
      ? ['Pods wait for a ConfigMap that lists their addresses; it is created once they have them.']
      : []),
  ];
}
