import type { Logger } from 'pino';
import type { ConfigMap } from '../contracts/kubernetes.ts';
import { faultOfAnchor } from './anchors/anchor-facts.ts';
import type { AnchorNotes } from './anchors/own-anchors.ts';
import { metrics } from './metrics.ts';

/**
 * ConfigMaps with the labels of an anchor that name no possible workflow. The watcher does nothing for them. It logs
 * each once and counts them while they exist, because each is a mistake or an attack.
 */
export class UnusableAnchors implements AnchorNotes {
  readonly #log: Pick<Logger, 'warn'>;
  /** Their namespaces, by uid. */
  readonly #namespaces = new Map<string, string | undefined>();

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  add(anchor: ConfigMap): void {
    const { namespace, name, uid = '' } = anchor.metadata;
    if (this.#namespaces.has(uid)) return;
    this.#namespaces.set(uid, namespace);
    this.#count();
    const fault = faultOfAnchor(anchor);
    this.#log.warn(
      { anchor: `${namespace}/${name}`, fault },
      'a ConfigMap is labelled as the anchor of a job, but names no workflow; it is ignored',
    );
  }

  remove({ metadata: { uid = '' } }: ConfigMap): void {
    if (this.#namespaces.delete(uid)) this.#count();
  }

  keepOnly(anchors: readonly ConfigMap[], listed: string | undefined): void {
    const present = new Set(anchors.map(({ metadata }) => metadata.uid ?? ''));
    for (const [uid, namespace] of this.#namespaces) {
      const isListed = listed === undefined || listed === namespace;
      if (isListed && !present.has(uid)) this.#namespaces.delete(uid);
    }
    this.#count();
  }

  #count(): void {
    metrics.unusableAnchors.set(this.#namespaces.size);
  }
}
