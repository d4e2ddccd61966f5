import { expect, it, test } from '@jest/globals';
import { type KubernetesVersion, kubernetesVersions } from '../kubernetes-versions.ts';
import { controlPlane } from '../supervisor/control-plane.ts';

const contextOf = (kubernetes: KubernetesVersion) =>
  ({
    launch: { programs: {}, ports: { kubernetes: 6443 }, options: { kubernetes } },
    layout: { dir: '/sandbox', etcdSocket: '/sandbox/etcd.sock', credentials: '/sandbox/credentials' },
    credentials: {},
  }) as never;

it.each(kubernetesVersions)(
  'the API server of %s takes privileged containers, as those of all common distributions do',
  (version) => {
    expect(controlPlane['kube-apiserver'](contextOf(version)).args).toContain('--allow-privileged=true');
  },
);

/** An unknown feature gate, API or controller keeps a component from starting. */
test.each<[KubernetesVersion, api: string[], scheduler: string[], controllerManager: string[]]>([
  ['1.35', [], [], []],
  [
    '1.36',
    ['--runtime-config=scheduling.k8s.io/v1alpha2=true', '--feature-gates=GenericWorkload=true'],
    ['--feature-gates=GenericWorkload=true,GangScheduling=true,SchedulerPopFromBackoffQ=false'],
    ['podgroup-protection-controller', '--feature-gates=GenericWorkload=true'],
  ],
  [
    '1.37',
    ['--runtime-config=scheduling.k8s.io/v1beta1=true', '--feature-gates=GenericWorkload=true'],
    ['--feature-gates=GenericWorkload=true,SchedulerPopFromBackoffQ=false'],
    ['podgroup-protection-controller', '--feature-gates=GenericWorkload=true'],
  ],
])(
  'native gangs of %s are switched on as it wants that, if it has any',
  (version, api, scheduler, controllerManager) => {
    const context = contextOf(version);
    expect(gangSettings(controlPlane['kube-apiserver'](context))).toEqual(api);
    expect(gangSettings(controlPlane['kube-scheduler'](context))).toEqual(scheduler);
    expect(gangSettings(controlPlane['kube-controller-manager'](context))).toEqual(controllerManager);
  },
);

const gangSettings = ({ args }: { readonly args: readonly string[] }) =>
  args
    .flatMap((arg) => (arg.startsWith('--controllers=') ? arg.split(',') : [arg]))
    .filter((arg) => /^podgroup|^--(runtime-config|feature-gates)/.test(arg));
