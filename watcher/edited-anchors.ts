import type { Logger } from 'pino';
import type { ConfigMap } from '../contracts/kubernetes.ts';

/**
 * Anchors whose owner was changed: workflow, installation or cluster. The watcher goes by what it
 * knows. It logs each once.
 */
export class EditedAnchors {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #uids = new Set<string>();

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  note({ namespace, name, uid = '' }: ConfigMap['metadata']): void {
    if (this.#uids.has(uid)) return;
    this.#uids.add(uid);
    this.#log.warn(
      { anchor: `${namespace}/${name}` },
      'the owner on an anchor was changed (workflow, run, installation or cluster); its job continues',
    );
  }
}
