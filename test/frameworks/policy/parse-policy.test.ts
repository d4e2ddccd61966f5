import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../contracts/policy.ts';
import { aContainer, aManifest } from '../manifests.ts';
import { faultsOf, policyOf, warningsOf, withPolicy } from './policies.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a job without the annotation', () => {
  it('has no policy in its plan', () => {
    const { plan } = aManifest().job();
    expect(plan).not.toHaveProperty('policy');
    expect(plan.roles.every((role) => !('limitsMemory' in role))).toBe(true);
  });
});

describe('a policy', () => {
  it('without fields is the default', () => {
    expect(policyOf('{}')).toEqual(DEFAULT_POLICY);
  });

  it('may leave fields empty, as templates do', () => {
    expect(policyOf('restart:\nfailures:\n  rules:\nholdOnFailure: ~')).toEqual(DEFAULT_POLICY);
  });

  it('may be JSON', () => {
    expect(policyOf('{"scaleByRestart":true}').scaleByRestart).toBe(true);
  });

  it('may use all of YAML that manifests use', () => {
    const text =
      'nodes: &long {lostAfter: 1h}\nfailures: {classes: {startUp: {after: 1h}}}\nprogress: {log: a}';
    expect(policyOf(text).nodes.lostAfterMs).toBe(HOUR);
    expect(policyOf('scaleByRestart: yes').scaleByRestart).toBe(true);
  });

  const table: readonly [text: string, policy: object][] = [
    [
      'restart: {ladder: [{scope: container, times: 3, within: 5m}, {scope: gang}]}',
      {
        restart: {
          ladder: [{ scope: 'container', times: 3, withinMs: 5 * MINUTE }, { scope: 'gang' }],
          backOff: DEFAULT_POLICY.restart.backOff,
        },
      },
    ],
    ['restart: {refundOnProgress: true}\nprogress: {log: a}', { restart: { refundOnProgress: true } }],
    [
      'restart: {backOff: {firstAtOnce: false, initial: 1s, factor: 1.5, max: 2m, jitter: 0.2, resetAfter: 1h}}',
      {
        restart: {
          backOff: {
            firstAtOnce: false,
            initialMs: 1000,
            factor: 1.5,
            maxMs: 2 * MINUTE,
            jitter: 0.2,
            resetAfterMs: HOUR,
          },
        },
      },
    ],
    [
      'restart: {backOff: {initial: 10m}}',
      { restart: { backOff: { initialMs: 10 * MINUTE, maxMs: 10 * MINUTE } } },
    ],
    [
      'failures: {rules: [{class: badData, exitCodes: [42, 100-120, "7"], roles: [WORKER]}]}',
      {
        failures: {
          rules: [
            {
              class: 'badData',
              exitCodes: [
                [42, 42],
                [100, 120],
                [7, 7],
              ],
              roles: ['worker'],
            },
          ],
        },
      },
    ],
    [
      'failures: {rules: [{class: infrastructure, reasons: [OOMKilled], pattern: NCCL}]}',
      { failures: { rules: [{ class: 'infrastructure', reasons: ['OOMKilled'], pattern: 'NCCL' }] } },
    ],
    [
      'failures: {classes: {startUp: {after: 15m, budget: 2}, infrastructure: {free: true}, userCode: {budget: 0}}}',
      {
        failures: {
          startUpAfterMs: 15 * MINUTE,
          classes: { startUp: { budget: 2 }, infrastructure: { free: true }, userCode: { budget: 0 } },
        },
      },
    ],
    [
      'failures: {classes: {userCode: {final: false, free: false, budget: 3}}}',
      { failures: { classes: { userCode: { budget: 3 } } } },
    ],
    [
      'progress: {log: "step=(\\\\d+)", stalledAfter: 10m}',
      { progress: { log: 'step=(\\d+)', stalledAfterMs: 10 * MINUTE } },
    ],
    ['progress: {annotation: example.com/step}', { progress: { annotation: 'example.com/step' } }],
    [
      'nodes: {lostAfter: 0s, troubles: [Cordoned], avoidFor: 1h, avoidAtMost: 3, forceDeleteAfter: 5m}',
      {
        nodes: {
          lostAfterMs: 0,
          troubles: ['Cordoned'],
          avoidForMs: HOUR,
          avoidAtMost: 3,
          forceDeleteAfterMs: 5 * MINUTE,
        },
      },
    ],
    ['nodes: {waitForSilent: true}', { nodes: { ...DEFAULT_POLICY.nodes, waitForSilent: true } }],
    ['evidence: {logLines: 0}', { evidence: { logLines: 0 } }],
    ['gang: {placedWithin: 1h}', { gang: { placedWithinMs: HOUR, otherwise: 'fail' } }],
    [
      'gang: {placedWithin: 30m, otherwise: requeue}',
      { gang: { placedWithinMs: 30 * MINUTE, otherwise: 'requeue' } },
    ],
    ['gang: {lift: onQuota}', { gang: { lift: 'onQuota', otherwise: 'fail' } }],
    ['holdOnFailure: 30m', { holdOnFailureMs: 30 * MINUTE }],
    [
      'checkpoint: {file: /signalbox/checkpoint, acknowledgedBy: {log: saved}}',
      {
        checkpoint: {
          file: '/signalbox/checkpoint',
          withinMs: 5 * MINUTE,
          acknowledgedBy: { log: 'saved' },
        },
      },
    ],
    ['checkpoint: {signal: SIGTERM, within: 90}', { checkpoint: { signal: 'SIGTERM', withinMs: 90_000 } }],
    ['checkpoint: {signal: SIGUSR1}', { checkpoint: { signal: 'SIGUSR1', withinMs: 5 * MINUTE } }],
  ];
  it.each(table)('%s', (text, policy) => {
    expect(policyOf(text)).toMatchObject(policy);
  });

  it('holds nothing for a duration of zero', () => {
    expect(policyOf('holdOnFailure: 0s')).not.toHaveProperty('holdOnFailureMs');
  });

  it.each<[string, number]>([
    ['90', 90_000],
    ['0.5', 500],
    ['"90"', 90_000],
    ['250ms', 250],
    ['1.5h', 1.5 * HOUR],
    ['1h30m', 1.5 * HOUR],
    ['2d', 48 * HOUR],
  ])('takes %s for a duration of %i ms', (text, ms) => {
    expect(policyOf(`nodes: {lostAfter: ${text}}`).nodes.lostAfterMs).toBe(ms);
  });
});

describe('a policy depends on which roles limit their memory', () => {
  const limited = { limits: { memory: '8Gi' } };

  it.each<[string, object[], boolean | undefined]>([
    ['in the container that trains', [aContainer({ resources: limited })], true],
    ['in another one', [aContainer(), aContainer({ name: 'sidecar', resources: limited })], undefined],
    ['by a request alone', [aContainer({ resources: { requests: { memory: '8Gi' } } })], undefined],
  ])('%s', (_where, containers, limits) => {
    const job = withPolicy('{}').role('Worker', 'template.spec.containers', containers).job();
    expect(job.plan.roles.map(({ limitsMemory }) => limitsMemory)).toEqual([undefined, limits]);
  });
});

describe('a policy with a fault is refused:', () => {
  const aDuration = 'a duration, e.g. 10s, 5m, 1h or a number of seconds';
  const anExitCode = 'an exit code from 1 to 255, or a range of them, e.g. 100-120';
  const table: readonly [text: string, ...faults: string[]][] = [
    // The document
    ['', 'expected a mapping, e.g. restart, failures or progress, from line 1 on, got null'],
    ['- a', 'expected a mapping, e.g. restart, failures or progress, from line 1 on, got a list of 1'],
    [
      'restart:\n  ladder: [\n',
      'expected YAML, got Flow sequence in block collection must be sufficiently indented and end with a ] at line 3, column 1',
    ],
    [
      'scaleByRestart: true\nscaleByRestart: true',
      'expected YAML, got Map keys must be unique at line 2, column 1',
    ],
    ['{}\n---\n{}', 'expected YAML, got Source contains multiple documents'],
    ['nodes: *none', 'expected YAML, got Unresolved alias (the anchor must be set before the alias): none'],
    [`# ${'x'.repeat(17_000)}`, 'expected at most 16384 bytes, got 17002'],
    // Fields that nobody knows
    ['retry: 3', 'retry: expected a known field, got 3'],
    [
      'restart: {lader: [{scope: pod}]}',
      'restart.lader: expected a known field (did you mean ladder?), got a list of 1',
    ],
    ['stalledAfter: 4', 'stalledAfter: expected a known field (did you mean progress.stalledAfter?), got 4'],
    [
      'restart: {ladder: [{scope: pod, time: 1}]}',
      'restart.ladder[0].time: expected a known field (did you mean times?), got 1',
    ],
    [
      'failures: {classes: {userCode: {budgets: 1}}}',
      'failures.classes.userCode.budgets: expected a known field (did you mean budget?), got 1',
    ],
    // Restarts
    ['restart: {ladder: []}', 'restart.ladder: expected a list of at least 1, got an empty list'],
    [
      'restart: {ladder: [{times: 1}]}',
      'restart.ladder[0].scope: expected one of container, pod, role, gang, gangElsewhere, got nothing',
    ],
    [
      'restart: {ladder: [{scope: pod, times: 1}, {scope: container}]}',
      'restart.ladder[1].scope: expected a larger scope than those before it: role, gang, gangElsewhere, got "container"',
    ],
    [
      'restart: {ladder: [{scope: gangElsewhere, times: 1}, {scope: gangElsewhere}]}',
      'restart.ladder[1].scope: expected no scope after gangElsewhere, got "gangElsewhere"',
    ],
    [
      'restart: {ladder: [{scope: pod, times: 0}]}',
      'restart.ladder[0].times: expected an integer >= 1, got 0',
    ],
    [
      'restart: {ladder: [{scope: pod, within: 0s}]}',
      'restart.ladder[0].within: expected a duration > 0, e.g. 10s, 5m, 1h or a number of seconds, got "0s"',
    ],
    ['restart: {backOff: {initial: soon}}', `restart.backOff.initial: expected ${aDuration}, got "soon"`],
    ['restart: {backOff: {initial: -1}}', `restart.backOff.initial: expected ${aDuration}, got -1`],
    ['restart: {backOff: {initial: 10:30}}', `restart.backOff.initial: expected ${aDuration}, got "10:30"`],
    [
      'restart: {backOff: {max: 400d}}',
      'restart.backOff.max: expected a duration of at most 365d, got "400d"',
    ],
    [
      'restart: {backOff: {initial: 5m, max: 1m}}',
      'restart.backOff.max: expected at least restart.backOff.initial (300s), got 60s',
    ],
    ['restart: {backOff: {factor: 0.5}}', 'restart.backOff.factor: expected a number from 1 to 100, got 0.5'],
    [
      'restart: {backOff: {jitter: a lot}}',
      'restart.backOff.jitter: expected a number from 0 to 1, got "a lot"',
    ],
    ['restart: {refundOnProgress: 1}', 'restart.refundOnProgress: expected true or false, got 1'],
    // Failures
    [
      'failures: {rules: [{class: bad-data, exitCodes: [1]}]}',
      'failures.rules[0].class: expected letters and digits, starting with a letter, got "bad-data"',
    ],
    [
      'failures: {rules: [{class: userCode}]}',
      'failures.rules[0]: expected at least one of exitCodes, pattern, reasons, roles, got none',
    ],
    [
      'failures: {rules: [{class: userCode, exitCodes: [0, 7-3, 200-300, x]}]}',
      `failures.rules[0].exitCodes[0]: expected ${anExitCode}, got 0`,
      `failures.rules[0].exitCodes[1]: expected ${anExitCode}, got "7-3"`,
      `failures.rules[0].exitCodes[2]: expected ${anExitCode}, got "200-300"`,
      `failures.rules[0].exitCodes[3]: expected ${anExitCode}, got "x"`,
    ],
    [
      'failures: {rules: [{class: userCode, pattern: "("}]}',
      'failures.rules[0].pattern: expected an RE2 regular expression (missing closing ): `(`), got "("',
    ],
    [
      'failures: {rules: [{class: userCode, roles: [Worker, Masters]}]}',
      'failures.rules[0].roles[1]: expected a role of the job: Master, Worker (did you mean Master?), got "Masters"',
    ],
    [
      `failures: {rules: [${Array(51).fill('{class: userCode, exitCodes: [1]}').join()}]}`,
      'failures.rules: expected a size of array <= 50, got a list of 51',
    ],
    [
      'failures: {classes: {infrastructur: {free: true}}}',
      'failures.classes.infrastructur: expected one of infrastructure, startUp, userCode, stalled: built-in classes, or classes that a rule names (did you mean infrastructure?), got "infrastructur"',
    ],
    [
      'failures: {classes: {userCode: {final: true, free: true}}}',
      'failures.classes.userCode.free: expected no value when final is set, got true',
    ],
    [
      'failures: {classes: {userCode: {final: true, budget: 1}}}',
      'failures.classes.userCode.budget: expected no value when final is set, got 1',
    ],
    [
      'failures: {classes: {userCode: {free: true, budget: 1}}}',
      'failures.classes.userCode.budget: expected no value when free is set, got 1',
    ],
    [
      'failures: {classes: {stalled: {after: 5m}}}',
      'failures.classes.stalled.after: expected no value: only startUp has this field, got 300s',
    ],
    // The rest
    ['progress: {stalledAfter: 5m}', 'progress: expected either log or annotation, got neither'],
    ['progress: {log: a, annotation: b}', 'progress: expected either log or annotation, got both'],
    [
      'progress: {annotation: a/b/c}',
      'progress.annotation: expected an annotation key, e.g. example.com/step, got "a/b/c"',
    ],
    [
      'nodes: {troubles: [Cordond]}',
      'nodes.troubles[0]: expected one of NotReady, OutOfService, Cordoned, got "Cordond"',
    ],
    ['nodes: {avoidAtMost: 0}', 'nodes.avoidAtMost: expected an integer >= 1, got 0'],
    ['evidence: {logLines: 2000}', 'evidence.logLines: expected an integer <= 1000, got 2000'],
    ['checkpoint: {within: 5m}', 'checkpoint: expected either file or signal, got neither'],
    ['checkpoint: {file: /a/b, signal: SIGTERM}', 'checkpoint: expected either file or signal, got both'],
    [
      'checkpoint: {signal: SIGKILL}',
      'checkpoint.signal: expected one of SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, got "SIGKILL"',
    ],
    [
      'checkpoint: {signal: SIGTERM, acknowledgedBy: {log: a}}',
      'checkpoint.acknowledgedBy: expected no value with signal: a container acknowledges a signal by ending, got an object',
    ],
    [
      'checkpoint: {file: /a/b, acknowledgedBy: {}}',
      'checkpoint.acknowledgedBy: expected either log or annotation, got neither',
    ],
    ...['/', '/checkpoint', 'a/b', '/a/../b', '/a/b/'].map((file): [string, string] => [
      `checkpoint: {file: ${file}}`,
      `checkpoint.file: expected the absolute path of a file in its own directory, e.g. /signalbox/checkpoint, got "${file}"`,
    ]),
  ];

  it.each(table.map(([text, ...faults]) => [text.slice(0, 80), faults, text] as const))(
    '%j',
    (_, faults, text) => {
      expect(faultsOf(text)).toEqual(faults);
    },
  );

  it('a checkpoint file in a directory where a volume is mounted', () => {
    const mounted = aContainer({ volumeMounts: [{ name: 'data', mountPath: '/data/' }] });
    const manifest = withPolicy('checkpoint: {file: /data/checkpoint}');
    expect(manifest.role('Worker', 'template.spec.containers', [mounted]).faults()).toEqual([
      'metadata.annotations[signalbox.dev/policy].checkpoint.file: expected a directory where Worker mounts no volume, got "/data/checkpoint"',
    ]);
  });

  const BESIDES: readonly [says: string, template: string, value: unknown, why: string][] = [
    [
      'a hook',
      'template.spec.containers',
      [aContainer({ lifecycle: { preStop: { exec: { command: ['./end.sh'] } } } })],
      'SIGTERM, because the container of Worker has its own preStop hook',
    ],
    [
      'another process 1',
      'template.spec.shareProcessNamespace',
      true,
      'SIGTERM, because Worker has shareProcessNamespace: true',
    ],
  ];
  it.each(BESIDES)('a checkpoint signal in a pod with %s', (_, path, value, why) => {
    const withSignal = (signal: string) =>
      withPolicy(`checkpoint: {signal: ${signal}}`).role('Worker', path, value).faults();
    expect(withSignal('SIGUSR1')).toEqual([
      `metadata.annotations[signalbox.dev/policy].checkpoint.signal: expected ${why}, got "SIGUSR1"`,
    ]);
    expect(withSignal('SIGTERM')).toEqual([]);
  });

  it('a fault beside other faults of the manifest', () => {
    const manifest = withPolicy('retry: 3')
      .role('Worker', 'replicas', -1)
      .with('spec.runPolicy.backoffLimit', -1);
    expect(manifest.faults().map((fault) => fault.split(':')[0])).toEqual([
      'spec.runPolicy.backoffLimit',
      'spec.pytorchReplicaSpecs.Worker.replicas',
      'metadata.annotations[signalbox.dev/policy].retry',
    ]);
  });
});

describe('the wait of a gang', () => {
  it.each([
    ['gang: {}', 'gang.placedWithin: expected a duration, e.g. 30m, got nothing'],
    [
      'gang: { lift: onQuota, otherwise: requeue }',
      'gang.placedWithin: expected a duration, e.g. 30m, because `otherwise` says what follows, got nothing',
    ],
    ['gang: { lift: soon }', 'gang.lift: expected one of whenItFits, onQuota, got "soon"'],
  ])('is refused as %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });
});

describe('spares', () => {
  it('wait with sleep, and are like the largest role, unless said otherwise', () => {
    expect(policyOf('spares: { count: 2 }').spares).toEqual({ count: 2, command: ['sleep', 'infinity'] });
    const given = 'spares: { count: 1, role: Worker, command: [/pause] }';
    expect(policyOf(given).spares).toEqual({ count: 1, role: 'worker', command: ['/pause'] });
    expect(policyOf('spares: { count: 0 }').spares).toBeUndefined();
  });

  it.each([
    ['spares: 2', 'spares: expected an object, got 2'],
    ['spares: { count: -1 }', 'spares.count: expected an integer >= 0, got -1'],
    ['spares: { count: 101 }', 'spares.count: expected an integer <= 100, got 101'],
    ['spares: { role: Worker }', 'spares.count: expected an integer, got nothing'],
    [
      'spares: { count: 1, role: Wroker }',
      'spares.role: expected a role of the job: Master, Worker (did you mean Worker?), got "Wroker"',
    ],
  ])('are refused as %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('are refused in a job that Kueue admits', () => {
    const refused = withPolicy('spares: { count: 1 }').with('metadata.labels', {
      'kueue.x-k8s.io/queue-name': 'gpus',
    });
    expect(refused.faults()).toEqual([
      'metadata.annotations[signalbox.dev/policy].spares: expected no spares in a job that Kueue admits, because it would not count them, got the label kueue.x-k8s.io/queue-name: gpus',
    ]);
  });

  it('are warned of where they wait for Kubernetes to delete the pods of a silent node', () => {
    expect(warningsOf('spares: { count: 1 }')).toEqual([
      'spares: without nodes.lostAfter used only for pods that are evicted, preempted or deleted; Kubernetes deletes those of a silent node after 5 min',
    ]);
    expect(warningsOf('spares: { count: 1 }\nnodes: { lostAfter: 30s }')).toEqual([]);
  });
});
