// The address of a pod by its name in DNS.
import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 120_000;
const PAUSE_MS = 100;

/**
 * Tries again for two minutes: a pod starts as soon as it has an address, and the cluster's DNS learns of it later, also
 * of the pod's own. DNS servers remember for up to 30 s that there was no such name.
 */
export async function addressOf(name, look = lookup) {
  const until = Date.now() + DEADLINE_MS;
  for (;;) {
    try {
      return (await look(name)).address;
    } catch (error) {
      if (Date.now() > until) throw error;
      await delay(PAUSE_MS);
    }
  }
}
