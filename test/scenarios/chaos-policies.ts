import type { ManifestOptions } from './chaos-manifests.ts';

/** Ways to deal with failures that no number of them uses up: a job of each gets through whatever befalls its pods. */

export type Lasting = Pick<ManifestOptions, 'restartPolicy' | 'runPolicy' | 'policy'>;

const SOON = { initial: '200ms', max: '2s', jitter: 0.2 };
export const FREE = { infrastructure: { free: true }, userCode: { free: true } };
const MANY = 10_000;

export const PROGRESS = 'example.com/step';

export const LASTING_POLICIES: Readonly<Record<string, Lasting>> = {
  /** As the original operators would; somebody has to end its long waits. */
  usual: { restartPolicy: 'OnFailure' },
  /** What is free is not counted by backoffLimit, and runs again whatever the restart policy. */
  freePods: {
    restartPolicy: 'Never',
    runPolicy: { backoffLimit: 0 },
    policy: { restart: { ladder: [{ scope: 'pod' }], backOff: SOON }, failures: { classes: FREE } },
  },
  budgets: {
    restartPolicy: 'ExitCode',
    runPolicy: { backoffLimit: 0 },
    policy: {
      restart: { backOff: SOON },
      failures: {
        rules: [{ class: 'killed', exitCodes: ['128-255'] }],
        classes: {
          killed: { budget: MANY },
          infrastructure: { budget: MANY },
          userCode: { budget: MANY },
          startUp: { after: '15s', budget: MANY },
        },
      },
    },
  },
  gang: { restartPolicy: 'OnFailure', policy: { restart: { ladder: [{ scope: 'gang' }], backOff: SOON } } },
  /** Does not wait for dead nodes. */
  forcedGang: {
    restartPolicy: 'OnFailure',
    policy: {
      restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } },
      nodes: { lostAfter: '1s', forceDeleteAfter: '1s' },
    },
  },
  elsewhere: {
    restartPolicy: 'OnFailure',
    policy: {
      restart: {
        ladder: [{ scope: 'gang', times: 2, within: '8s' }, { scope: 'gangElsewhere' }],
        backOff: SOON,
      },
      nodes: { lostAfter: '2s', avoidFor: '10s', avoidAtMost: 2, forceDeleteAfter: '2s' },
    },
  },
  climbing: {
    restartPolicy: 'Never',
    policy: {
      restart: {
        ladder: [
          { scope: 'pod', times: 3, within: '5s' },
          { scope: 'role', times: 2, within: '8s' },
          { scope: 'gang' },
        ],
        backOff: { ...SOON, resetAfter: '20s' },
      },
      failures: { classes: FREE },
      nodes: { lostAfter: '3s' },
    },
  },
  roles: {
    restartPolicy: 'Always',
    policy: {
      restart: { ladder: [{ scope: 'role' }], backOff: SOON },
      nodes: { lostAfter: '2s', forceDeleteAfter: '0s' },
    },
  },
  /** It is told to say something now and then, and starts again where it does not. */
  progress: {
    restartPolicy: 'OnFailure',
    policy: {
      restart: {
        ladder: [{ scope: 'pod', times: 3 }, { scope: 'gang' }],
        backOff: SOON,
        refundOnProgress: true,
      },
      failures: { classes: { userCode: { budget: MANY }, stalled: { free: true } } },
      progress: { annotation: PROGRESS, stalledAfter: '10s' },
    },
  },
  held: {
    restartPolicy: 'OnFailure',
    policy: { restart: { ladder: [{ scope: 'gang' }], backOff: SOON }, holdOnFailure: '1s' },
  },
};

/** A job of any policy may be scaled: where its kind cannot do that while it runs, its gang starts again. */
export const scalable = ({ policy, ...rest }: Lasting): Lasting => ({
  ...rest,
  policy: { ...policy, scaleByRestart: true },
});
