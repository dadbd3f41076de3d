"""The network of examples/fashion_mlp.dlm in PyTorch, eager: prints milliseconds per step.

    python3 torch_mlp.py THREADS WARM_STEPS STEPS [BATCH] [WIDTH]

The data is random: only the step is timed, with batches that are already tensors.
"""
import sys
import time

import torch

threads, warm, steps, *rest = [int(a) for a in sys.argv[1:]]
batch, width = (rest + [64, 512][len(rest):])[:2]
torch.set_num_threads(threads)
torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Linear(784, width), torch.nn.ReLU(), torch.nn.Linear(width, 10))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
images = torch.randint(0, 256, (64, batch, 784), dtype=torch.uint8)
labels = torch.randint(0, 10, (64, batch))


def step(i):
    optimizer.zero_grad(set_to_none=True)
    x = images[i % 64].float() / 255
    loss = torch.nn.functional.cross_entropy(net(x), labels[i % 64])
    loss.backward()
    optimizer.step()


for i in range(warm):
    step(i)
times = []
for i in range(steps):
    start = time.perf_counter()
    step(i)
    times.append(time.perf_counter() - start)
times.sort()
print(f"{1e3 * times[len(times) // 2]:.3f}")
