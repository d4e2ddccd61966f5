import { setTimeout as delay } from 'node:timers/promises';
import { formatAnchorRecord } from '../../contracts/anchor.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import type { Chance } from '../scenarios/chance.ts';
import type { ChaosRun } from '../scenarios/chaos-faults.ts';
import { STRANGER } from './foreign-objects.ts';
import { unlessGone, untilDone } from './until-done.ts';

export const FORGERIES = [
  'forgery: an anchor with all that another job’s says',
  'forgery: an anchor of another job that says that it has ended',
  'forgery: an anchor of another job’s run, without its record',
] as const;

const FORGED_MS = [1_000, 15_000] as const;

/** What the engine does to the forgery itself harms nobody. */
export const isForgedAnchor = (name: string) => new RegExp(`^${anchorNameOf(`${STRANGER}\\d+`)}$`).test(name);

let made = 0;

/** Somebody makes an anchor that names another job: its name, workflow, run, installation and record. */
export async function forgeAnchor(
  { jobs, control, note }: ChaosRun,
  chance: Chance,
): Promise<string | undefined> {
  const victim = chance.pick(jobs)?.name;
  const forgery = chance.pick(FORGERIES)!;
  const forgedMs = chance.between(...FORGED_MS);
  const { cluster, namespace } = control.stage;
  const anchor = victim && (await cluster.find(CONFIG_MAPS, namespace, anchorNameOf(victim)));
  if (!anchor) return undefined;
  const name = anchorNameOf(`${STRANGER}${made++}`);
  note(`${name} is ${forgery}: ${victim}`);
  try {
    await cluster.create(CONFIG_MAPS, forged(anchor, name, forgery));
    await delay(forgedMs);
    return forgery;
  } finally {
    await untilDone(() => cluster.delete(CONFIG_MAPS, namespace, name).catch(unlessGone));
  }
}

function forged(anchor: ConfigMap, name: string, forgery: (typeof FORGERIES)[number]): ConfigMap {
  const { namespace, labels, annotations } = anchor.metadata;
  const ended = forgery === FORGERIES[1] ? formatAnchorRecord({ phase: 'Completed' }) : {};
  const metadata = { name, namespace, labels, annotations: { ...annotations, ...ended } };
  const data = forgery === FORGERIES[2] ? { job: '[]' } : anchor.data;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}
