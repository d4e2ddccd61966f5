import type { ReflectorHandlers } from '../../cluster/reflector.ts';
import type { Home } from '../../contracts/home.ts';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import {
  type AnchorFacts,
  type AnchorOwner,
  anchorFacts,
  isForeign,
  isSameOwner,
  ownerOn,
} from './anchor-facts.ts';

interface OtherAnchors {
  /** Returns whose an anchor is, if it is known. */
  readonly ownerOf: (anchor: ConfigMap) => AnchorOwner | undefined;
  /** Called for each anchor that does not say any more whose it is. */
  readonly edited: (anchor: ConfigMap) => void;
  /** Called for each anchor of another installation. */
  readonly foreign: (anchor: AnchorFacts) => void;
  readonly unusable: AnchorNotes;
  /** The namespace whose anchors are handled; all of them without it. */
  readonly namespace?: string;
}

/** Keeps which anchors name no possible workflow. */
export interface AnchorNotes {
  add(anchor: ConfigMap): void;
  remove(anchor: ConfigMap): void;
  /** Drops those that are not among the anchors that exist in the namespace; without it, in all. */
  keepOnly(anchors: readonly ConfigMap[], namespace: string | undefined): void;
}

/**
 * Passes on only the events of this installation's anchors, and reports the others. A foreign job's workflow cannot be
 * found here, so the watcher must not signal, clean up or take over the job.
 */
export function ownAnchors(
  handlers: ReflectorHandlers<ConfigMap>,
  home: Home,
  { ownerOf, edited, foreign, unusable, namespace }: OtherAnchors,
): ReflectorHandlers<ConfigMap> {
  const isOwn = (anchor: ConfigMap) => {
    const owner = ownerOf(anchor);
    if (owner) {
      if (!isSameOwner(owner, ownerOn(anchor))) edited(anchor);
      return true;
    }
    const facts = anchorFacts(anchor);
    if (!facts) {
      if (anchor.metadata.labels?.[LABELS.installation] === home.installation) unusable.add(anchor);
      return true;
    }
    unusable.remove(anchor);
    if (!isForeign(facts, home)) return true;
    foreign(facts);
    return false;
  };
  return {
    replaced: (anchors, resourceVersion) => {
      handlers.replaced(anchors.filter(isOwn), resourceVersion);
      unusable.keepOnly(anchors, namespace);
    },
    changed: (anchor, resourceVersion) => {
      if (isOwn(anchor)) handlers.changed(anchor, resourceVersion);
    },
    deleted: (anchor, resourceVersion) => {
      if (isOwn(anchor)) handlers.deleted(anchor, resourceVersion);
      unusable.remove(anchor);
    },
  };
}
