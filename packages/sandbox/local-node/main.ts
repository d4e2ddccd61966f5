import { pino } from 'pino';
import { startLocalNode } from './node.ts';
import { parseOptions } from './options.ts';

const options = parseOptions(process.argv.slice(2));
const log = pino({ level: options.logLevel, base: undefined }, pino.destination({ fd: 2, sync: true }));
const node = await startLocalNode(options, log).catch((error) => {
  log.fatal({ err: error }, 'the local node could not start');
  process.exit(1);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    log.info({ signal }, 'stopping');
    await node.stop();
    process.exit(0);
  });
}
