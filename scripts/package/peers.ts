/** Temporal tells its failures apart by classes, so these must be the caller's own copies. */
export const OF_THE_CALLER = ['@temporalio/activity', '@temporalio/common', '@temporalio/workflow'];

/** What reads logs and asks the API server, and what reads evidence in S3: few programs need them. */
export const ON_REQUEST = ['@aws-sdk/client-s3', '@kubernetes/client-node'];

/** Packages that stay outside of the library's bundles. */
export const PEERS = [...ON_REQUEST, ...OF_THE_CALLER];
