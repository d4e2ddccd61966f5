import { readLogFile } from './log-reader.ts';

/** The kubelet's limits for a message from the log. */
const LINES = 80;
const BYTES = 2048;

/** The last lines of a failed container's log, for `terminationMessagePolicy: FallbackToLogsOnError`. */
export async function readTerminationMessage(logPath: string): Promise<string> {
  let text = '';
  for await (const piece of readLogFile(logPath, { tailLines: LINES })) text += piece;
  const bytes = Buffer.from(text);
  return bytes.subarray(Math.max(0, bytes.length - BYTES)).toString();
}
