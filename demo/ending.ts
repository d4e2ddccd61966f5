import type { Sandbox } from '@signalbox/sandbox';
import pc from 'picocolors';
import { screen } from './screen.ts';
import type { Story } from './story.ts';

/** Returns the promises of the demo that this run did not keep; empty on success. */
export function findBroken({ outcome, lines }: Story): string[] {
  const broken: string[] = [];
  if (outcome.phase !== 'Completed') broken.push(`the job is ${outcome.phase}: ${outcome.cause?.message}`);
  if (outcome.restarts > 0) broken.push(`the job was restarted ${outcome.restarts} times`);
  if (lines.before === 0 || lines.after === 0) {
    broken.push(`rank 0 logged ${lines.before} lines before the engine was killed and ${lines.after} after`);
  }
  return broken;
}

/** Prints the job's timeline with causes, its outcome, and where to look further. */
export function printEnding({ outcome }: Story, sandbox: Sandbox, keptEngine: number | undefined): void {
  screen.heading('The timeline, from the workflow’s history');
  for (const entry of outcome.timeline) {
    screen.plain(`  ${entry.at}  ${entry.phase.padEnd(10)} ${pc.dim(entry.state.padEnd(21))} ${entry.cause}`);
  }
  const { kind, namespace, name, phase, attempt, restarts } = outcome;
  screen.heading('The outcome');
  screen.plain(`  ${kind} ${namespace}/${name}: ${phase}, attempt ${attempt}, ${restarts} restarts`);
  for (const { type, status, message } of outcome.conditions) {
    screen.plain(pc.dim(`  ${type.padEnd(10)} ${status.padEnd(6)} ${message}`));
  }
  screen.heading('Look further');
  if (!keptEngine) screen.plain('  (`npm run demo -- --keep` leaves everything running for this)');
  screen.plain(`  Temporal UI        ${sandbox.temporalUiUrl}/namespaces/default/workflows`);
  screen.plain(`  the job            npx signalbox get ${name} -n ${namespace}`);
  screen.plain(`  what happened      npx signalbox history ${name} -n ${namespace}`);
  screen.plain(`  rank 0's log       npx signalbox logs ${name} -n ${namespace}`);
  screen.plain(
    `  the cluster        kubectl --kubeconfig ${sandbox.kubeconfig} get pods,services,configmaps`,
  );
  if (keptEngine) screen.plain(`  stop everything    kill ${keptEngine} && npx signalbox sandbox down`);
}
