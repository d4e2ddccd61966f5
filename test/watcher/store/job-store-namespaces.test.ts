import { beforeEach, expect, it } from '@jest/globals';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { UnusableAnchors } from '../../../watcher/unusable-anchors.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

/** One store of which each namespace has streams of its own. */

const NAMESPACES = ['team-a', 'team-b'];

let jobs: JobStore;

const anchorIn = (namespace: string) => anAnchor({ namespace, uid: `of-${namespace}` });
const podIn = (namespace: string) =>
  aPod({ namespace, uid: `pod-${namespace}`, owner: `of-${namespace}`, status: READY });
const jobIn = (namespace: string) => jobs.job({ namespace, uid: `of-${namespace}` })!;
const digestIn = (namespace: string) => jobs.digestOf(jobIn(namespace), anchorFacts(anchorIn(namespace))!);

beforeEach(() => {
  jobs = new JobStore();
  for (const namespace of NAMESPACES) {
    jobs.anchorsIn(namespace).replaced([anchorIn(namespace)], 10);
    jobs.podsIn(namespace).replaced([podIn(namespace)], 10);
  }
});

it('a list of one namespace takes nothing from the others', () => {
  const unlisted: string[] = [];
  jobs.on('unlisted', ({ namespace }) => unlisted.push(namespace));
  jobs.podsIn('team-a').replaced([], 20);
  jobs.anchorsIn('team-a').replaced([], 20);
  expect(NAMESPACES.map((namespace) => jobIn(namespace).pods.size)).toEqual([0, 1]);
  expect(unlisted).toEqual(['team-a']);
});

it('a digest says how far the stream of its own namespace was read', () => {
  jobs.podsIn('team-a').changed(podIn('team-a'), 30);
  expect(NAMESPACES.map((namespace) => digestIn(namespace).resourceVersions.pods)).toEqual([30, 10]);
});

it('of a namespace that was not listed, nothing is known up to any resource version', () => {
  jobs.anchorsIn('team-c').replaced([anchorIn('team-c')], 40);
  expect(digestIn('team-c').resourceVersions).toEqual({ pods: 0, groups: {}, nodes: undefined });
});

it('unusable anchors of one namespace are no longer counted when they are gone from there', () => {
  const warned: object[] = [];
  const unusable = new UnusableAnchors({ warn: (what: object) => warned.push(what) } as never);
  const [one, other] = [anchorIn('team-a'), anchorIn('team-b')];
  for (const anchor of [one, other]) unusable.add(anchor);
  unusable.keepOnly([], 'team-a');
  for (const anchor of [one, other]) unusable.add(anchor);
  expect(warned).toMatchObject([
    { anchor: 'team-a/resnet.signalbox' },
    { anchor: 'team-b/resnet.signalbox' },
    { anchor: 'team-a/resnet.signalbox' },
  ]);
});
