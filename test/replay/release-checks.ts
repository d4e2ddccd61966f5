import type { WorkflowBundleOption } from '@temporalio/worker';
import type { ReplaySet } from '../../scripts/release/replay-set.ts';
import { replayJobs } from '../../worker/replay/replay-jobs.ts';
import { payloadsIn } from './recorded-payloads.ts';

/** What a release needs of later versions: docs/upgrades.md promises it. Each fault is a sentence for who changed the code. */

const RULE = 'CONTRIBUTING.md, "Changes of workflow code"';

type Histories = ReplaySet['histories'];

/** Returns which jobs of a release would stand still after an upgrade to these workflows. */
export async function upgradeFaults(
  { version, histories }: ReplaySet,
  workflows: WorkflowBundleOption,
): Promise<readonly string[]> {
  const errors = await errorsOf(histories, workflows);
  return Object.entries(errors).map(
    ([name, why]) =>
      `${version}/${name}: a job of ${version} with this history would stand still after an upgrade (${why}). Keep the commands of ${version} for such jobs, behind patched(): ${RULE}.`,
  );
}

/**
 * Returns which jobs of today would stand still after a rollback to a release. `oneWay`: histories of which that is known,
 * by name, and why.
 */
export async function rollbackFaults(
  released: ReplaySet,
  today: { readonly histories: Histories; readonly oneWay: Readonly<Record<string, string>> },
): Promise<readonly string[]> {
  const { version, workflows } = released;
  if (workflows === undefined) return [];
  const own = await errorsOf(released.histories, { code: workflows });
  const [broken] = Object.entries(own);
  if (broken)
    return [
      `${version}: its workflows no longer replay its own history ${broken[0]} (${broken[1]}): Temporal's SDK has changed. Check with \`signalbox replay\` of ${version} whether it replays test/replay/histories, then remove test/replay/releases/${version}/workflows.js.br.`,
    ];
  const errors = await errorsOf(today.histories, { code: workflows });
  return [
    ...Object.entries(errors).flatMap(([name, why]) =>
      today.oneWay[name] === undefined
        ? [
            `${name}: a job of today with this history would stand still after a rollback to ${version} (${why}). Only a minor version may do so, and has to say it in test/replay/one-way.json and CHANGELOG.md: ${RULE}.`,
          ]
        : [],
    ),
    ...Object.keys(today.oneWay).flatMap((name) =>
      errors[name] === undefined
        ? [
            `test/replay/one-way.json: ${name} ${name in today.histories ? `replays with the workflows of ${version}` : 'is no recorded history'}: remove it.`,
          ]
        : [],
    ),
  ];
}

/**
 * Returns what processes of a release sent that the schemas of today do not take. `faultsBySchema`: what is wrong with a
 * value.
 */
export function wireFaults(
  { version, histories }: ReplaySet,
  faultsBySchema: (schema: string, value: unknown) => readonly string[],
): readonly string[] {
  const faults = Object.entries(histories).flatMap(([name, history]) =>
    payloadsIn(history).flatMap(({ schema, value }) =>
      faultsBySchema(schema, value).map(
        (fault) =>
          `${version}/${name}: schemas/${schema}.json no longer takes what ${version} sent (${fault}). Formats only get new optional fields: ${RULE}.`,
      ),
    ),
  );
  return [...new Set(faults)];
}

/** Returns why histories do not replay, by name. */
async function errorsOf(
  histories: Histories,
  workflowBundle: WorkflowBundleOption,
): Promise<Record<string, string>> {
  const jobs = Object.entries(histories).map(([workflowId, history]) => ({ workflowId, runs: [history] }));
  const errors: Record<string, string> = {};
  for await (const { workflowId, error } of replayJobs(jobs, { workflowBundle, entriesOnly: true }))
    if (error) errors[workflowId] = cause(error);
  return errors;
}

/** What Temporal's core says within a description of what it sent, e.g. `[TMPRL1100] Nondeterminism error: …`. */
const cause = ({ message }: Error): string =>
  /\[TMPRL\d+\][^"]+/.exec(message)?.[0] ?? message.split('\n')[0]!;
