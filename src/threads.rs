//! Work that the threads of rayon's current pool share.
//!
//! Without the feature `parallel` the calling thread does it all, with the same results. Closures are handed to rayon as objects: its
//! generic code is compiled once, and not for each of them.

/// Number of threads.
pub(crate) fn count() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Calls both closures, in parallel where there are threads for both.
pub(crate) fn both<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut first, mut second) = (None, None);
    join(&mut || first = a.take().map(|a| a()), &mut || {
        second = b.take().map(|b| b())
    });
    let run = "both closures have run";
    (first.expect(run), second.expect(run))
}

fn join(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    #[cfg(feature = "parallel")]
    rayon::join(a, b);
    #[cfg(not(feature = "parallel"))]
    {
        a();
        b();
    }
}

/// The results of `work` for each item and its number, in their order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: &(dyn Fn(usize, &T) -> R + Sync)) -> Vec<R> {
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    each_part(&mut results, 1, &|k, result| {
        if let ([result], Some(item)) = (result, items.get(k)) {
            *result = Some(work(k, item));
        }
    });
    results.into_iter().flatten().collect()
}

/// Calls `work` with each part of a slice, `size` long but for the last one, and its number.
pub(crate) fn each_part<T: Send>(
    all: &mut [T],
    size: usize,
    work: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    fn share<T: Send>(
        first: usize,
        all: &mut [T],
        size: usize,
        work: &(dyn Fn(usize, &mut [T]) + Sync),
    ) {
        let parts = all.len().div_ceil(size);
        if parts < 2 || count() < 2 {
            for (k, part) in (first..).zip(all.chunks_mut(size)) {
                work(k, part);
            }
            return;
        }
        let middle = parts / 2;
        let (left, right) = all.split_at_mut(middle * size);
        both(
            || share(first, left, size, work),
            || share(first + middle, right, size, work),
        );
    }
    share(0, all, size, work);
}

/// Runs `work` on a pool of so many threads.
#[cfg(all(test, feature = "parallel"))]
pub(crate) fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool of threads").install(work)
}

#[cfg(test)]
mod tests {
    use super::{both, each_part, map};

    #[test]
    fn results_come_in_their_order() {
        assert_eq!(both(|| 1, || "two"), (1, "two"));
        assert!(map(&[0; 0], &|k, _| k).is_empty());
        let items: Vec<usize> = (0..1000).collect();
        let sums: Vec<usize> = items.iter().map(|item| 2 * item).collect();
        assert_eq!(map(&items, &|k, item| k + item), sums);
    }

    #[test]
    fn each_part_has_its_number() {
        for len in [0, 1, 9, 10, 11, 999] {
            let mut all = vec![usize::MAX; len];
            each_part(&mut all, 10, &|k, part| {
                assert!(part.len() == 10 || k == len / 10);
                part.fill(k);
            });
            assert!(all.iter().enumerate().all(|(i, &k)| k == i / 10));
        }
    }
}
