import { describe, expect, it } from '@jest/globals';
import { operatorRuns } from '../../bridge/warnings.ts';
import { REASONS } from '../../contracts/reasons.ts';
import type { GangRequest, RunPolicy, TrainingJob } from '../../contracts/training-job.ts';
import { keptByGroup, keptByPods } from '../../frameworks/changes/changes-between.ts';
import { FRAMEWORKS, frameworkOf } from '../../frameworks/kinds/registry.ts';
import type { Framework } from '../../frameworks/model/framework.ts';
import { runPolicyField } from '../../frameworks/model/run-policy-field.ts';
import { chooseGang } from '../../gang/choose.ts';
import { ACTIVE_DEADLINE, initialContext, type JobContext } from '../../machines/model/job-context.ts';
import { exceedsBackoffLimit } from '../../machines/restart/backoff-limit.ts';
import { causeOfEnd } from '../../machines/stopping/end-cause.ts';
import { CASES, readCase } from '../comparison/case.ts';
import { planned } from '../machines/builders.ts';

/** A job of each kind, as a golden case has it. */
const JOBS: readonly (readonly [string, Framework, TrainingJob])[] = FRAMEWORKS.map((framework) => {
  const { apiVersion, kind } = framework;
  for (const name of CASES) {
    const { job } = readCase(name);
    if (job.apiVersion === apiVersion && job.kind === kind) return [`${apiVersion} ${kind}`, framework, job];
  }
  throw new Error(`no golden case has a ${kind} of ${apiVersion}`);
});

const LIMITS = { suspend: true, activeDeadlineSeconds: 60, backoffLimit: 0 } as const;

/** Begins suspended, and has each limit that its kind has. */
function limited({ dialect }: Framework, { plan }: TrainingJob): JobContext {
  const known = Object.entries(LIMITS).filter(([field]) => runPolicyField(dialect, field));
  const runPolicy = { ...plan.runPolicy, ...Object.fromEntries(known) } as RunPolicy;
  return initialContext({
    ...{ ...planned({ ...plan, runPolicy }), anchorUid: 'u', gang: 'none', at: 0 },
  });
}

/** What is said of a job of the kind, by what decides for its limits and edits. */
function sentences(framework: Framework, job: TrainingJob): readonly string[] {
  const context = limited(framework, job);
  const { suspend, activeDeadlineSeconds } = context.plan.runPolicy;
  const late = causeOfEnd(context, { type: 'deadline', name: ACTIVE_DEADLINE, at: 0 });
  const said = [
    suspend ? context.suspension?.message : undefined,
    activeDeadlineSeconds ? late?.rule : undefined,
    exceedsBackoffLimit(context, 1)?.rule,
    keptByPods(framework),
    keptByGroup(framework),
    operatorRuns({ name: 'operator', found: 'Lease', group: '', kinds: [] }, job).message,
  ];
  return said.filter((sentence) => sentence !== undefined);
}

/** The fields of a scheduling policy that a job is told of where there is no gang scheduler. */
async function ignoredOf(job: TrainingJob, asked: Partial<GangRequest>): Promise<readonly string[]> {
  const gang: GangRequest = { minMember: job.gang.minMember, ...asked, scheduler: 'none' };
  const chosen = await chooseGang({ ...job, gang }, { configured: 'none', serves: async () => false });
  const warnings = 'warnings' in chosen ? chosen.warnings : [];
  return warnings.filter((one) => one.includes(': ignored; ')).map((one) => one.split(': ')[0]!);
}

/** Fields of a run policy that a sentence names, below spec. */
const namedIn = (sentence: string): readonly string[] =>
  [
    ...sentence.matchAll(
      /\b(?:spec\.)?((?:runPolicy\.)?(?:suspend|managedBy|backoffLimit|\w+Seconds|cleanPodPolicy)\b)(?! NAME)/g,
    ),
  ].map(([, field]) => field!);

describe('what is said of a job names fields that its kind has', () => {
  it.each(JOBS)('%s', (_, framework, job) => {
    const said = sentences(framework, job);
    const paths = said.flatMap(namedIn);
    expect(
      paths.filter((path) => `spec.${path}` !== runPolicyField(framework.dialect, path.split('.').at(-1)!)),
    ).toEqual([]);
  });

  it('the rules of a TrainJob are fields of spec', () => {
    const [, framework, job] = JOBS.find(([name]) => name.endsWith(' TrainJob'))!;
    expect(sentences(framework, job).slice(0, 2)).toEqual([
      'spec.suspend: true',
      'spec.activeDeadlineSeconds: 60',
    ]);
  });

  it.each([
    ['PyTorchJob', { queue: 'q' }, ['spec.runPolicy.schedulingPolicy.queue']],
    ['Job', { queue: 'q', priorityClass: 'p' }, ['spec.queue', 'spec.priorityClassName']],
    [
      'TrainJob',
      { queue: 'q', scheduleTimeoutSeconds: 60 },
      [
        'spec.runtime.template.metadata.annotations[scheduling.volcano.sh/queue-name]',
        'spec.runtime.podGroupPolicy.coscheduling.scheduleTimeoutSeconds',
      ],
    ],
  ])('what a %s asks of a gang scheduler', async (kind, asked, fields) => {
    const [, , job] = JOBS.find(([name]) => name.endsWith(` ${kind}`))!;
    expect(await ignoredOf(job, asked)).toEqual(fields);
  });

  it('sentences for all kinds name no path, as kinds have different ones', () => {
    const texts = Object.values(REASONS).flatMap(({ sentence, remedy }) => [sentence, remedy]);
    expect(texts.filter((text) => /runPolicy|\bspec\./.test(text))).toEqual([]);
  });
});

it('each of these has a job', () => {
  expect(JOBS.map(([, , job]) => frameworkOf(job))).toEqual(FRAMEWORKS);
});
