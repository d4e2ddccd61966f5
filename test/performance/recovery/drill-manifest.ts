import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { YAML_AS_KUBECTL } from '../../../language/yaml.ts';
import type { SettingsName, SystemName } from './systems.ts';

export const RANKS = 4;

/** What is the same for all systems of a drill. */
export interface ProgramOptions {
  readonly stepSeconds: number;
  /** Steps between two checkpoints. */
  readonly checkpointSteps: number;
  readonly loadSeconds: number;
}

interface DrillJob {
  readonly name: string;
  /** A folder of this machine, which all ranks share. */
  readonly folder: string;
  readonly program: ProgramOptions;
}

/** The objects of a system in `manifests/`, for one trial: with its name for `drill`, its folder and its program. */
export async function drillManifest(
  system: SystemName,
  settings: SettingsName,
  job: DrillJob,
): Promise<readonly KubeObject[]> {
  const file = new URL(`manifests/${system}-${settings}.yaml`, import.meta.url);
  const documents = parseAllDocuments(await readFile(file, 'utf8'), YAML_AS_KUBECTL);
  return documents.map((document) => forTrial(document.toJS(), job) as KubeObject);
}

function forTrial(value: unknown, job: DrillJob): unknown {
  if (value === 'drill') return job.name;
  if (Array.isArray(value)) return value.map((item) => forTrial(item, job));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, fieldForTrial(name, field, job)]);
  return Object.fromEntries(fields);
}

function fieldForTrial(name: string, field: unknown, job: DrillJob): unknown {
  if (name === 'hostPath') return { path: job.folder };
  if (name === 'args') return [...(field as readonly string[]), ...argsOf(job.program)];
  return forTrial(field, job);
}

const argsOf = ({ stepSeconds, checkpointSteps, loadSeconds }: ProgramOptions) => [
  `--step-seconds=${stepSeconds}`,
  `--checkpoint-steps=${checkpointSteps}`,
  `--load-seconds=${loadSeconds}`,
];
