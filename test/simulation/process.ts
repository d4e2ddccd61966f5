import { type Owner, processNow } from './virtual-time.ts';

/** A process of signalbox: it can be paused, and killed at any moment. What it has asked for by then may still be done. */
export class ModelProcess implements Owner {
  readonly name: string;
  readonly kind: 'worker' | 'watcher' | 'user';
  isDead = false;
  isPaused = false;

  constructor(kind: ModelProcess['kind'], number: number) {
    this.kind = kind;
    this.name = `${kind}-${number}`;
  }

  get isRunning(): boolean {
    return !this.isDead && !this.isPaused;
  }

  run<T>(work: () => T): T {
    return processNow.run(this, work);
  }
}
