/**
 * Errors of workflow code have no stack trace. The SDK computes one, with source maps, for every promise that
 * workflow code makes, which takes a fifth of the worker's workflow thread
 * (docs/internals/costs.md#a-booking). A run that fails is replayed from its history to find the place
 * (docs/temporal.md#stack-traces).
 */
Error.stackTraceLimit = 0;
