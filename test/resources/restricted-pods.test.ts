import { describe, expect, it } from '@jest/globals';
import type { Container, Pod, PodSpec } from '../../contracts/kubernetes.ts';
import { FRAMEWORKS } from '../../frameworks/kinds/registry.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { asFields } from '../../language/fields.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { renderSpares } from '../../resources/spare.ts';
import { restrictedManifest } from '../frameworks/restricted-manifest.ts';

/** Names what the restricted Pod Security Standard refuses in a pod. Source: Kubernetes' policy/check_*.go. */
const violations = ({ metadata, spec }: Pod): string[] =>
  [...(spec.initContainers ?? []), ...spec.containers].flatMap((container) =>
    violationsOf(container, spec).map((what) => `${metadata.name} ${container.name}: ${what}`),
  );

function violationsOf({ securityContext }: Container, pod: PodSpec): string[] {
  const own = asFields(securityContext);
  const both = { ...asFields(pod.securityContext), ...own };
  const capabilities = asFields(own.capabilities);
  return [
    ...(own.allowPrivilegeEscalation === false ? [] : ['allowPrivilegeEscalation']),
    ...(JSON.stringify(capabilities) === '{"drop":["ALL"]}' ? [] : ['capabilities']),
    ...(both.runAsNonRoot === true ? [] : ['runAsNonRoot']),
    ...(asFields(both.seccompProfile).type === 'RuntimeDefault' ? [] : ['seccompProfile']),
  ];
}

const jobOf = (manifest: object) => {
  const parsed = parseManifest(manifest, { namespace: 'ml' });
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  return parsed.job;
};

describe.each(FRAMEWORKS.map((one) => [`${one.kind} ${one.apiVersion}`, one] as const))(
  'the pods of a %s with a restricted template',
  (_, framework) => {
    it.each(['pod', 'container'] as const)('are restricted, if the %s says so', (saidIn) => {
      const job = jobOf(restrictedManifest(framework, saidIn));
      const { pods } = renderAttempt(job, { number: 1, anchorUid: 'anchor' }, { gang: 'none', asGang: true });
      expect(pods.length).toBeGreaterThan(0);
      expect(pods.flatMap(violations)).toEqual([]);
    });
  },
);

const pytorch = FRAMEWORKS.find(({ kind }) => kind === 'PyTorchJob')!;

describe('pods that signalbox adds containers to', () => {
  it('have them', () => {
    const names = FRAMEWORKS.flatMap((framework) => {
      const job = jobOf(restrictedManifest(framework, 'pod'));
      const { pods } = renderAttempt(job, { number: 1, anchorUid: 'a' }, { gang: 'none', asGang: true });
      return pods.flatMap(({ spec }) => (spec.initContainers ?? []).map(({ name }) => name));
    });
    expect(names).toEqual(expect.arrayContaining(['init-pytorch', 'kubectl-delivery']));
  });

  it('get no restriction that the template does not have, and no privilege', () => {
    const manifest = restrictedManifest(pytorch, 'container');
    const securityContext = { privileged: true, capabilities: { add: ['IPC_LOCK'] } };
    const text = JSON.stringify(manifest, (key, value) =>
      key === 'securityContext' ? securityContext : value,
    );
    const { pods } = renderAttempt(
      jobOf(JSON.parse(text)),
      { number: 1, anchorUid: 'anchor' },
      { gang: 'none', asGang: true },
    );
    const added = pods.flatMap(({ spec }) => spec.initContainers ?? []);
    expect(added.map(({ name, securityContext: own }) => [name, own])).toEqual([['init-pytorch', undefined]]);
  });

  it('have spares that are restricted, too', () => {
    const manifest = restrictedManifest(pytorch, 'container');
    const policy = { 'signalbox.dev/policy': 'spares: { count: 1 }\nnodes: { lostAfter: 30s }\n' };
    const job = jobOf({ ...manifest, metadata: { name: 'restricted', annotations: policy } });
    const spares = renderSpares(job, { anchorUid: 'anchor', gang: 'none', count: 1 });
    expect(spares).toHaveLength(1);
    expect(spares.flatMap(violations)).toEqual([]);
  });
});
