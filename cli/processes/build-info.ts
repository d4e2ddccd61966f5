import { Gauge } from 'prom-client';
import { ownVersion } from '../shell/own-version.ts';

const buildInfo = new Gauge({
  name: 'signalbox_build_info',
  help: 'Always 1; which parts of signalbox run in this process, and their version.',
  labelNames: ['part', 'version'] as const,
});

export const showBuild = (part: 'worker' | 'watcher' | 'bridge' | 'notifier' | 'console'): void =>
  buildInfo.set({ part, version: ownVersion() }, 1);
