import { describe, expect, it } from '@jest/globals';
import { ResourceStore } from '../../bridge/resource-store.ts';
import { anAnchor, aResource } from './fixtures.ts';

const owner = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u1' };
const real = anAnchor();

function storeWith(...anchors: (typeof real)[]): ResourceStore {
  const store = new ResourceStore();
  for (const anchor of anchors) store.putAnchor(anchor);
  return store;
}

const anchorOf = (store: ResourceStore) => store.anchorOf(aResource());

describe('a ConfigMap that names a resource as its owner', () => {
  it.each<[string, Parameters<typeof anAnchor>[0]]>([
    ['in another namespace', { namespace: 'evil' }],
    ['with another name', { anchorName: 'lie.signalbox', name: 'lie' }],
    ['with a name that only begins like that of its anchor', { anchorName: 'train.signalboy' }],
    ['of another kind', { owner: { ...owner, kind: 'TFJob' } }],
    ['of another group', { owner: { ...owner, apiVersion: 'nosuch.example/v1' } }],
    ['of another uid', { owner: { ...owner, uid: 'u2' } }],
    ['without an owner', { owner: undefined }],
  ])('%s, is not its anchor', (_, more) => {
    expect(anchorOf(storeWith(anAnchor({ uid: 'a2', ...more })))).toBeUndefined();
  });

  it.each<[string, Parameters<typeof anAnchor>[0]]>([
    ['another namespace', { namespace: 'evil' }],
    ['another name', { anchorName: 'lie.signalbox', name: 'lie' }],
  ])('in %s takes neither the place of its anchor, nor that along when it goes', (_, more) => {
    const forged = anAnchor({ uid: 'a2', ...more });
    const store = storeWith(real, forged);
    expect(anchorOf(store)).toBe(real);
    store.removeAnchor(forged);
    expect(anchorOf(store)).toBe(real);
  });

  it('is its anchor in every version of the group', () => {
    const other = anAnchor({ owner: { ...owner, apiVersion: 'kubeflow.org/v2beta1' } });
    expect(anchorOf(storeWith(other))).toBe(other);
  });
});

describe('a name', () => {
  it('has an anchor, whatever its job was made from', () => {
    const isAnchored = (more: Parameters<typeof anAnchor>[0]) =>
      storeWith(anAnchor(more)).isAnchored(aResource());
    expect(isAnchored({ owner: undefined })).toBe(true);
    expect(isAnchored({ owner: { ...owner, kind: 'TFJob' } })).toBe(true);
    expect(isAnchored({ anchorName: 'other.signalbox' })).toBe(false);
    expect(isAnchored({ namespace: 'other' })).toBe(false);
  });
});

describe('an anchor', () => {
  it('is gone when it was deleted, but not with an earlier one of its name', () => {
    const store = storeWith(real);
    store.removeAnchor(anAnchor({ uid: 'a0' }));
    expect(anchorOf(store)).toBe(real);
    store.removeAnchor(real);
    expect(anchorOf(store)).toBeUndefined();
  });

  it('is gone when a list of its namespace lacks it', () => {
    const store = storeWith(real);
    store.replaceAnchors([], 'other');
    expect(anchorOf(store)).toBe(real);
    store.replaceAnchors([], 'ml');
    expect(anchorOf(store)).toBeUndefined();
  });
});
