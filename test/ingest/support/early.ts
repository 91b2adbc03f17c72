import { MessagePort, parentPort, receiveMessageOnPort } from "node:worker_threads"

/**
 * Throws if work has come before this thread says that it listens: a failure of such work could not be told from a thread that does not start.
 * Only Node lets a thread look.
 */
export const refuseEarlyWork = () => {
  if (parentPort instanceof MessagePort && receiveMessageOnPort(parentPort) !== undefined) {
    throw new Error("work came before this thread said that it listens")
  }
}
