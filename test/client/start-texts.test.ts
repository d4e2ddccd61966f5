import { describe, expect, it } from '@jest/globals';
import type { Manifest } from '../../client/manifests/named-manifest.ts';
import { startTexts } from '../../client/manifests/start-texts.ts';
import { DETAILS_BYTES, SUMMARY_BYTES } from '../../language/shorten.ts';

const role = (replicas: number, image = 'registry.example.com/train:1.2') => ({
  replicas,
  template: {
    spec: {
      containers: [{ name: 'pytorch', image, resources: { limits: { 'nvidia.com/gpu': 8, cpu: '16' } } }],
    },
  },
});
const manifest: Manifest = {
  kind: 'PyTorchJob',
  metadata: { name: 'resnet', namespace: 'ml', labels: { team: 'vision' } },
  spec: { pytorchReplicaSpecs: { Master: role(1), Worker: role(3) } },
};

describe('the text in Temporal for a job that has just started', () => {
  it('has kind, name, size, image and submitter', () => {
    const { staticSummary, staticDetails } = startTexts(manifest, {
      submittedBy: 'ana@laptop',
      why: 'new data',
    });
    expect(staticSummary).toBe(
      'PyTorchJob ml/resnet · 4 pods, 32 nvidia.com/gpu · registry.example.com/train:1.2 · by ana@laptop',
    );
    expect(staticDetails).toBe(`**PyTorchJob** \`ml/resnet\`, submitted by \`ana@laptop\`

**Why:** new data

| Role | Pods | Image | Each pod requests |
| --- | --- | --- | --- |
| Master | 1 | \`registry.example.com/train:1.2\` | nvidia.com/gpu 8, cpu 16 |
| Worker | 3 | \`registry.example.com/train:1.2\` | nvidia.com/gpu 8, cpu 16 |

**Labels:** \`team=vision\``);
  });

  it('works for kinds whose roles stand in spec itself, and for manifests with faults', () => {
    const bare = { kind: 'PaddleJob', metadata: { name: 'p', namespace: 'ml' } };
    const paddle = startTexts({ ...bare, spec: { worker: role(2, 'a|b') } }, { submittedBy: 'ana' });
    expect(paddle.staticSummary).toBe('PaddleJob ml/p · 2 pods, 16 nvidia.com/gpu · a|b · by ana');
    expect(paddle.staticDetails).toContain('| worker | 2 | `a\\|b` |');
    for (const spec of [undefined, [], { worker: null }, { worker: { replicas: 'two', template: 7 } }])
      expect(startTexts({ ...bare, spec }, { submittedBy: 'ana' }).staticSummary).toContain('ml/p');
  });

  it.each([
    ['1k', ', 2000 x/gpu'],
    ['²', ''],
    ['0x10', ''],
    ['1.5', ''],
    ['', ''],
  ])('counts devices as Kubernetes does: %j', (quantity, size) => {
    const container = { name: 'c', image: 'i', resources: { limits: { 'x/gpu': quantity } } };
    const spec = { worker: { replicas: 2, template: { spec: { containers: [container] } } } };
    const { staticSummary } = startTexts({ ...manifest, spec }, { submittedBy: 'ana' });
    expect(staticSummary).toBe(`PyTorchJob ml/resnet · 2 pods${size} · i · by ana`);
  });

  it('is never longer than Temporal accepts', () => {
    const roles = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`r${index}`, role(1, `i${'ü'.repeat(200)}${index}`)]),
    );
    const { staticSummary, staticDetails } = startTexts({ ...manifest, spec: roles }, { submittedBy: 'ana' });
    expect(Buffer.byteLength(JSON.stringify(staticSummary))).toBeLessThanOrEqual(SUMMARY_BYTES);
    expect(Buffer.byteLength(JSON.stringify(staticDetails))).toBeLessThanOrEqual(DETAILS_BYTES);
  });
});
