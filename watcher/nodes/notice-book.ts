import { isDeepStrictEqual } from 'node:util';
import type { Node } from '../../contracts/kubernetes.ts';
import type { NodeNotice } from '../../contracts/node-notice.ts';
import { callAfter } from '../../language/timers.ts';
import type { HealthTable } from './health-table.ts';
import { nodeNotices } from './node-notices.ts';
import { SteadyNotices } from './steady-notices.ts';

interface Page {
  readonly steady: SteadyNotices;
  cancel?: () => void;
}

/** What the sources of health say of all nodes. Nodes that are well need no room in it. */
export class NoticeBook {
  readonly #table: HealthTable;
  readonly #changed: (node: string, isNew: boolean) => void;
  readonly #pages = new Map<string, Page>();

  constructor(table: HealthTable, changed: (node: string, isNew: boolean) => void) {
    this.#table = table;
    this.#changed = changed;
  }

  of(node: string): readonly NodeNotice[] {
    return this.#pages.get(node)?.steady.notices ?? [];
  }

  hear(node: Node): void {
    const { name } = node.metadata;
    const now = Date.now();
    const present = nodeNotices(node, this.#table, now);
    if (present.length === 0 && !this.#pages.has(name)) return;
    const page = this.#pages.get(name) ?? { steady: new SteadyNotices() };
    this.#pages.set(name, page);
    this.#update(name, page, () => page.steady.hear(present, now));
  }

  /** The node is gone, or cannot be read any more. */
  forget(name: string): void {
    const page = this.#pages.get(name);
    if (!page) return;
    page.cancel?.();
    this.#pages.delete(name);
    this.#changed(name, false);
  }

  #update(name: string, page: Page, change: () => void): void {
    const before = page.steady.notices;
    change();
    const after = page.steady.notices;
    this.#wake(name, page);
    if (page.steady.isEmpty) this.#pages.delete(name);
    if (!isDeepStrictEqual(before, after)) this.#changed(name, after.length > before.length);
  }

  /** Nothing may come from the cluster when it is time to tell. */
  #wake(name: string, page: Page): void {
    page.cancel?.();
    const { dueAt } = page.steady;
    page.cancel =
      dueAt === undefined
        ? undefined
        : callAfter(
            Math.max(0, dueAt - Date.now()),
            () => this.#update(name, page, () => page.steady.settle(Date.now())),
            { keepsAlive: false },
          );
  }
}
