/* What a pad keeps on its phone: its sitting at each game, and every touch that the server has not answered for. A touch
   is written with strict durability before anything is painted or sent; it goes when the server has it. */
const NAME = "domino-pad";

const settled = (request) =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

export async function openStore() {
  const asked = indexedDB.open(NAME, 1);
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore("sittings", { keyPath: "game" });
    asked.result.createObjectStore("touches", { keyPath: ["game", "order"] });
  };
  const base = await settled(asked);
  /* Another window that wants a newer shape is not kept waiting. */
  base.onversionchange = () => base.close();
  return new Store(base);
}

class Store {
  constructor(base) {
    this.base = base;
  }

  async load(game) {
    const run = this.base.transaction(["sittings", "touches"], "readonly");
    const [sitting, touches] = await Promise.all([
      settled(run.objectStore("sittings").get(game)),
      settled(run.objectStore("touches").getAll(this.of(game))),
    ]);
    return { sitting, touches };
  }

  of(game) {
    return IDBKeyRange.bound([game, -Infinity], [game, Infinity]);
  }

  /* All of it or nothing: `act` gets both shelves. */
  write(act) {
    return new Promise((done, fail) => {
      const run = this.base.transaction(["sittings", "touches"], "readwrite", { durability: "strict" });
      run.oncomplete = () => done();
      run.onabort = () => fail(run.error);
      act(run.objectStore("touches"), run.objectStore("sittings"));
    });
  }

  /* After every other touch of the game, whichever window of this phone made that one. Gives the order it got. */
  async add(touch) {
    let order = 0;
    await this.write((touches) => {
      touches.openCursor(this.of(touch.game), "prev").onsuccess = (event) => {
        order = (event.target.result?.value.order ?? 0) + 1;
        touches.add({ ...touch, order });
      };
    });
    return order;
  }

  put(...touches) {
    return this.write((shelf) => touches.forEach((touch) => shelf.put(touch)));
  }

  /* The server has these touches now: they go, and the sitting knows them as its own. */
  keep(sitting, orders = []) {
    return this.write((touches, sittings) => {
      sittings.put(sitting);
      for (const order of orders) touches.delete([sitting.game, order]);
    });
  }
}
