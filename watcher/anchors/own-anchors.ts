import type { ReflectorHandlers } from '../../cluster/reflector.ts';
import type { Home } from '../../contracts/home.ts';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { type AnchorFacts, anchorFacts, isForeign } from './anchor-facts.ts';

/**
 * Passes on only the events of this installation's anchors, and reports those of others to `foreign`. A foreign job's
 * workflow cannot be found here, so the watcher must not signal, sweep or take over the job.
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
    replaced: (anchors, resourceVersion) => handlers.replaced(anchors.filter(isOwn), resourceVersion),
    changed: (anchor, resourceVersion) => {
      if (isOwn(anchor)) handlers.changed(anchor, resourceVersion);
    },
    deleted: (anchor, resourceVersion) => {
      if (isOwn(anchor)) handlers.deleted(anchor, resourceVersion);
    },
  };
}
