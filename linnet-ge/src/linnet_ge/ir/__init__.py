"""The operations of the Graph Engine as data.

In: names and numbers.  Out: what is registered under them.

    operations.py          the door: inputs, outputs, attributes and graphs of an operation
    tensor_operations.py   the table: data, arithmetic, shapes, reductions, control
    network_operations.py  the table: products, activations, norms, attention, images, devices
    dtypes.py              the data types
    roles.py               what nodes of some types are there for, beside computing
"""
