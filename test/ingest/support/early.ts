import { MessagePort, parentPort, receiveMessageOnPort } from "node:worker_threads"

/**
 * Throws if work arrives before this thread says that it listens. If such work failed, nobody could tell whether the thread had started.
 * Only Node lets a thread look into its queue.
 */
export const refuseEarlyWork = () => {
  if (parentPort instanceof MessagePort && receiveMessageOnPort(parentPort) !== undefined) {
    throw new Error("work came before this thread said that it listens")
  }
}
