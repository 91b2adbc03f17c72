import { useSignal } from "@preact/signals"

/** Runs what a button or form asks for: one act at a time, and the reason of the last refusal. */
export const useAct = () => {
  const isBusy = useSignal(false)
  const refusal = useSignal("")
  const act = async (run: () => Promise<unknown>): Promise<void> => {
    if (isBusy.value) return
    isBusy.value = true
    refusal.value = ""
    try {
      await run()
    } catch (error) {
      refusal.value = (error as Error).message
    }
    isBusy.value = false
  }
  return { act, isBusy: isBusy.value, refusal: refusal.value }
}
