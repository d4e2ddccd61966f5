import { shownLine, textOfLine } from '../contracts/secrets/shown-line.ts';
import type { EvidenceRecord } from '../contracts/types.ts';

/** Returns the line of the log of a failed pod that says best why; undefined if none does. */
export function errorLineOf({ summary, containers }: EvidenceRecord): string | undefined {
  const failed = containers.find(({ name }) => name === summary.container);
  const log = failed?.state?.terminated ? failed.log : failed?.previousLog;
  return errorLineIn(log?.lines ?? []);
}

/** Returns the last exception of a log, else its last line that names an error. */
export function errorLineIn(lines: readonly string[]): string | undefined {
  const texts = lines.map(textOfLine).filter((text) => !OF_LAUNCHERS.test(text));
  const found =
    texts.findLast((text) => EXCEPTION.test(text)) ?? texts.findLast((text) => OTHER_ERROR.test(text));
  return found === undefined ? undefined : shownLine(found);
}

/** `torch.cuda.OutOfMemoryError: CUDA out of memory`, `AssertionError`; with the rank before it, as torch prints it. */
const EXCEPTION =
  /^(?:\[[^\]]*\]:? ?)*(?:Uncaught |Caused by: )?(?:[a-z_][\w$]*\.)*(?:[A-Z]\w*(?:Error|Exception|Interrupt|Exit)|Error|Exception)(?: \[\w+\])?(?:: |:?$)/;

const OTHER_ERROR =
  /\b(?:errors?|fatal|panic|abort(?:ed|ing)|segmentation fault|core dumped|out of memory|terminate called|assertion .*failed|command not found|no such file or directory|permission denied|killed)\b/i;

/** What launchers print of the failure of a program that they ran: its own words come before. */
const OF_LAUNCHERS = /\bChildFailedError\b|\bCalledProcessError\b|^error_file: /;
