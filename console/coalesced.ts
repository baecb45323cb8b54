/**
 * Does it now, and once more behind it however often it was wanted meanwhile: a busy server is asked no faster than it
 * answers.
 */
export function coalesced(act: () => Promise<void>): () => void {
  let isBusy = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      await act();
    }
    isBusy = false;
  };
}
