/** A watcher in a process of its own, so that it can be killed. The settings are its argument. */
import pino from 'pino';
import { startWatcher } from '../../watcher/watcher.ts';

await startWatcher(JSON.parse(process.argv[2]!), pino({ level: 'warn' }));
