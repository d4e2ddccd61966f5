import type { ReflectorHandlers } from '../../cluster/reflector.ts';
import type { Home } from '../../contracts/home.ts';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { type AnchorFacts, anchorFacts, isForeign } from './anchor-facts.ts';

/**
 * Passes on what is heard of this installation's anchors. Those of others, whose workflows are not to be found here, are
 * only pointed out: what is not passed on is never told, swept or taken over.
 */
export function ownAnchors(
  handlers: ReflectorHandlers<ConfigMap>,
  home: Home,
  foreign: (anchor: AnchorFacts) => void,
): ReflectorHandlers<ConfigMap> {
  const isOwn = (anchor: ConfigMap) => {
    const facts = anchorFacts(anchor);
    if (!facts || !isForeign(facts, home)) return true;
    foreign(facts);
    return false;
  };
  return {
    replaced: (anchors, revision) => handlers.replaced(anchors.filter(isOwn), revision),
    changed: (anchor, revision) => {
      if (isOwn(anchor)) handlers.changed(anchor, revision);
    },
    deleted: (anchor, revision) => {
      if (isOwn(anchor)) handlers.deleted(anchor, revision);
    },
  };
}
