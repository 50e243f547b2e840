/** Typed events. Listeners are called in the order they were added. */
export class Emitter<Events extends Record<string, unknown>> {
  readonly #listeners = new Map<keyof Events, ((data: never) => void)[]>();

  on<K extends keyof Events>(event: K, listener: (data: Events[K]) => void): void {
    const list = this.#listeners.get(event) ?? [];
    list.push(listener as (data: never) => void);
    this.#listeners.set(event, list);
  }

  protected emit<K extends keyof Events>(event: K, data: Events[K]): void {
    for (const listener of this.#listeners.get(event) ?? []) (listener as (data: Events[K]) => void)(data);
  }
}
