export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}
export declare function identify(pid: number): ProcessIdentity | undefined;
export declare function isAlive(identity: ProcessIdentity): boolean;
export declare function describeProcess(
  pid: number,
): { readonly parent: number; readonly command: string } | undefined;
