import { describe, expect, it } from '@jest/globals';
import { LABELS } from '../../contracts/labels.ts';
import { FRAMEWORKS } from '../../frameworks/kinds/registry.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { podFacts } from '../../watcher/pods/pod-facts.ts';
import { manifestWithRoles } from '../frameworks/restricted-manifest.ts';

const FORGED = {
  labels: {
    ...Object.fromEntries(Object.values(LABELS).map((label) => [label, '7'])),
    [LABELS.avoidsUntil]: '1',
    'signalbox.dev/of-a-later-version': 'yes',
    team: 'vision',
  },
  annotations: {
    'signalbox.dev/checkpoint': '2026-01-01T00:00:00Z',
    note: 'mine',
    'signalbox.dev/simulate': 'failed',
  },
};

/** A job of the kind in which every template has these labels and annotations. */
function manifestOf(framework: (typeof FRAMEWORKS)[number]) {
  const { container = 'main' } = framework;
  const spec = { containers: [{ name: container, image: 'registry.example/train:1' }] };
  return manifestWithRoles(framework, { name: 'copied' }, { metadata: FORGED, spec });
}

describe.each(FRAMEWORKS.map((one) => [`${one.kind} ${one.apiVersion}`, one] as const))(
  'labels and annotations of signalbox in the templates of a %s',
  (_, framework) => {
    const parsed = parseManifest(manifestOf(framework), { namespace: 'ml' });
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
    const { job } = parsed;
    const { pods } = renderAttempt(job, { number: 3, anchorUid: 'anchor' }, { gang: 'none', asGang: true });

    it('are not copied to its pods', () => {
      expect(pods.length).toBeGreaterThan(0);
      for (const { metadata } of pods) {
        expect(metadata.labels).toMatchObject({
          team: 'vision',
          [LABELS.attempt]: '3',
          [LABELS.pod]: metadata.name,
        });
        for (const label of [LABELS.avoidsUntil, LABELS.incarnation, 'signalbox.dev/of-a-later-version'])
          expect(metadata.labels).not.toHaveProperty([label]);
        expect(metadata.annotations).toMatchObject({ note: 'mine', 'signalbox.dev/simulate': 'failed' });
        expect(metadata.annotations).not.toHaveProperty(['signalbox.dev/checkpoint']);
      }
    });

    it('cause a warning with path and value', () => {
      const warnings = job.warnings.filter((warning) => warning.includes('signalbox.dev/avoids-until'));
      expect(warnings).toHaveLength(job.roles.length);
      expect(warnings[0]).toMatch(
        /^spec\..*\.template\.metadata\.labels\[signalbox\.dev\/avoids-until\]: ignored, because signalbox itself sets/,
      );
    });

    it('do not make a pod avoid a node', () => {
      for (const pod of pods) expect(podFacts(pod).avoidsUntil).toBeUndefined();
    });
  },
);
