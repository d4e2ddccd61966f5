import { expect, it } from '@jest/globals';
import type { Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { attemptOf } from '../../contracts/objects.ts';
import { indexOf, roleOf } from '../../contracts/pod.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { CASES, readCase } from '../comparison/case.ts';

/** What cannot be changed in a pod says of it what its labels say. */
it.each(CASES)('role, index and attempt of the pods of %s are the same without their labels', (name) => {
  const { job } = readCase(name);
  const { pods } = renderAttempt(job, { number: 3, anchorUid: 'anchor' }, { gang: 'none', asGang: false });
  for (const pod of pods) {
    const labels = pod.metadata.labels ?? {};
    const labelled = [labels[LABELS.role], Number(labels[LABELS.index]), Number(labels[LABELS.attempt])];
    const bare: Pod = { ...pod, metadata: { ...pod.metadata, labels: {} } };
    const isLauncher = pod.metadata.name.endsWith('-launcher');
    const seen = [isLauncher ? 'launcher' : roleOf(bare), indexOf(bare), attemptOf(bare)];
    expect(seen).toEqual(labelled);
  }
});
