import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NAMESPACES, PODS, type Pod } from '../../contracts/kubernetes.ts';
import { type Installer, openInstallers } from '../deploy/installers.ts';
import { eventually } from '../eventually.ts';
import { importEngineImage, temporalAddress } from './engine-deployment.ts';
import { makeEngineImage } from './images.ts';
import { CLUSTER_DIR } from './nodes.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** What a person sees who installs with a mistake: docs/install.md#if-a-step-fails. */

interface Mistake {
  readonly name: string;
  readonly values: readonly string[];
  /** What kubectl says of the pods of the worker: their status, events and log. */
  readonly says: RegExp;
}

const MISTAKES: readonly Mistake[] = [
  {
    name: 'image',
    values: ['image.tag=9.9.9'],
    says: /image "signalbox:9\.9\.9"|signalbox:9\.9\.9.*not found/,
  },
  {
    name: 'secret',
    values: [
      'record.store=s3',
      'record.s3.archiveBucket=archive',
      'record.s3.evidenceBucket=evidence',
      'record.archiveKey.existingSecret=nobody',
    ],
    says: /secret "nobody" not found/,
  },
  { name: 'setting', values: ['settings.SIGNALBOX_CONNECTIONS=many'], says: /SIGNALBOX_CONNECTIONS.*many/ },
  { name: 'address', values: ['temporal.address=127.0.0.1:1'], says: /Temporal does not answer; retrying/ },
  { name: 'namespace', values: ['temporal.namespace=nobody'], says: /Namespace nobody is not found/ },
  { name: 'claim', values: ['record.store=claim'], says: /unbound immediate PersistentVolumeClaims/ },
];

describeOnNodes('an installation with a mistake', () => {
  let stage: RealStage;
  let helm: Installer;
  let kubectl: Installer;
  /** The name of the release and of its namespace: a cluster has one release of a name. */
  const releaseOf = ({ name }: Mistake) => `mistake-${name}`;

  beforeAll(async () => {
    stage = await openRealStage();
    await importEngineImage(stage, await makeEngineImage(CLUSTER_DIR));
    ({ helm, kubectl } = await openInstallers(stage.nodes.sandbox.kubeconfig));
    await Promise.all(MISTAKES.map(install));
  }, 600_000);

  const install = async (mistake: Mistake) => {
    const values = [
      `temporal.address=${temporalAddress(stage)}`,
      'record.store=none',
      'worker.replicas=1',
      'watcher.replicas=0',
    ];
    await helm(
      ...['install', releaseOf(mistake), 'charts/signalbox', '-n', releaseOf(mistake), '--create-namespace'],
      ...[...values, ...mistake.values].map((value) => `--set=${value}`),
    );
  };

  afterAll(async () => {
    await Promise.all(
      MISTAKES.map(releaseOf).map(async (release) => {
        await helm('uninstall', release, '-n', release, '--ignore-not-found');
        await stage.cluster.delete(NAMESPACES, undefined, release);
      }),
    );
    await stage.close();
  });

  it.each(MISTAKES)('$name: the pod says which', async (mistake) => {
    const namespace = releaseOf(mistake);
    await eventually(
      'its pod says so',
      async () => {
        const words = await said(namespace);
        if (!mistake.says.test(words)) throw new Error(words);
        return true;
      },
      { withinMs: 120_000, everyMs: 1_000 },
    );
    expect((await workers(namespace)).some(isReady)).toBe(false);
  });

  const workers = async (namespace: string): Promise<readonly Pod[]> =>
    (await stage.cluster.list(PODS, { namespace, labelSelector: 'app.kubernetes.io/component=worker' }))
      .items;

  const said = async (namespace: string): Promise<string> =>
    (await kubectl('describe', 'pods', '--show-events', '-n', namespace)) +
    (await kubectl('logs', '-n', namespace, '--selector=app.kubernetes.io/component=worker').catch(String));
});

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
